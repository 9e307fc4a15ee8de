import CLinux
import GRPCCore
import Glibc

/// Looks up a host's addresses with getaddrinfo.
enum AddressLookup {
  /// The addresses of a host, in the order in which the system prefers them.
  ///
  /// - Throws: `RPCError` with code unavailable if the host has none, `CancellationError` if the task is
  ///   cancelled; the thread then ends on its own and nobody waits for it.
  static func addresses(host: String, port: Int) async throws -> [SocketAddress] {
    try await Blocking.call { try lookUp(host: host, port: port) }
  }

  private static func lookUp(host: String, port: Int) throws -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_ADDRCONFIG | AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let failure = getaddrinfo(host, String(port), &hints, &list)
    // The list is getaddrinfo's and whole until freeaddrinfo, after the last use.
    defer { if let list { freeaddrinfo(list) } }
    guard failure == 0 else {
      let reason = gai_strerror(failure).map { String(cString: $0) } ?? "error \(failure)"
      throw RPCError(
        code: .unavailable, message: "The host “\(host)” cannot be looked up: \(reason).")
    }
    var addresses: [SocketAddress] = []
    var next = list
    while let info = next {
      if let address = address(of: info.pointee), !addresses.contains(address) {
        addresses.append(address)
      }
      next = info.pointee.ai_next
    }
    return addresses
  }

  private static func address(of info: addrinfo) -> SocketAddress? {
    guard let name = info.ai_addr, info.ai_addrlen <= MemoryLayout<sockaddr_storage>.size else {
      return nil
    }
    return SocketAddressStorage.filled { storage, length in
      memcpy(storage, name, Int(info.ai_addrlen))
      length.pointee = info.ai_addrlen
      return 0
    }.address
  }
}
