import CLinux
import Glibc

extension TimingConnection {
  /// An address as `connect` takes it: the binding of `getaddrinfo`.
  struct Address: Sendable {
    let family: Int32
    private let bytes: [UInt8]

    init(_ info: addrinfo) {
      family = info.ai_family
      bytes = Array(UnsafeRawBufferPointer(start: info.ai_addr, count: Int(info.ai_addrlen)))
    }

    func connect(_ descriptor: Int32) -> Int32 {
      bytes.withUnsafeBytes { bytes in
        // The bytes are a socket address, copied from one and aligned as an array's storage is.
        bytes.withMemoryRebound(to: sockaddr.self) {
          Glibc.connect(descriptor, $0.baseAddress, socklen_t(bytes.count))
        }
      }
    }
  }

  /// The addresses of a host, the best first. Blocks.
  static func addresses(of endpoint: TimingEndpoint) throws(UnknownHost) -> [Address] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(endpoint.host, "\(endpoint.port)", &hints, &list)
    guard code == 0 else {
      throw UnknownHost(
        description: "\(endpoint.host) has no address: \(String(cString: gai_strerror(code)))")
    }
    // The list is glibc's until it is freed, here, after the copies are made.
    defer { freeaddrinfo(list) }
    var addresses: [Address] = []
    var next = list
    while let info = next?.pointee {
      addresses.append(Address(info))
      next = info.ai_next
    }
    return addresses
  }
}
