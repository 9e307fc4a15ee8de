import CLinux
import GRPCCore
import Glibc
import Synchronization

/// Looks up a host's addresses with getaddrinfo, which blocks and so has a thread of its own.
enum AddressLookup {
  /// The addresses of a host, in the order in which the system prefers them.
  ///
  /// - Throws: `RPCError` with code unavailable if the host has none, `CancellationError` if the task is
  ///   cancelled; the thread then ends on its own and nobody waits for it.
  static func addresses(host: String, port: Int) async throws -> [SocketAddress] {
    let waiter = Waiter()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard waiter.wait(continuation) else { return }
        startThread { waiter.resume(with: Result { try lookUp(host: host, port: port) }) }
      }
    } onCancel: {
      waiter.resume(with: .failure(CancellationError()))
    }
  }

  /// Holds the task that waits, for whichever comes first: the addresses or the cancellation.
  private final class Waiter: Sendable {
    private enum State: Sendable {
      case new
      case waiting(CheckedContinuation<[SocketAddress], any Error>)
      case done
    }

    private let state = Mutex(State.new)

    /// - Returns: Whether there is something to wait for.
    func wait(_ continuation: CheckedContinuation<[SocketAddress], any Error>) -> Bool {
      let isCancelled = state.withLock { state in
        if case .done = state { return true }
        state = .waiting(continuation)
        return false
      }
      if isCancelled { continuation.resume(throwing: CancellationError()) }
      return !isCancelled
    }

    func resume(with result: Result<[SocketAddress], any Error>) {
      let waiting = state.withLock { state in
        defer { state = .done }
        if case .waiting(let continuation) = state { return Optional(continuation) }
        return nil
      }
      waiting?.resume(with: result)
    }
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

  private static func startThread(_ body: @escaping @Sendable () -> Void) {
    final class Start {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    // The one reference that passRetained makes is taken over by the thread, or below.
    let start = Unmanaged.passRetained(Start(body))
    let failure = pthread_create(
      &thread, nil,
      { opaque in
        guard let opaque else { return nil }
        Unmanaged<Start>.fromOpaque(opaque).takeRetainedValue().body()
        return nil
      }, start.toOpaque())
    guard failure == 0 else {
      // No thread to be had: this once the caller's own looks the name up.
      return start.takeRetainedValue().body()
    }
    pthread_detach(thread)
  }
}
