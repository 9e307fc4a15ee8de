import CLinux
import EventLoop
import Glibc

/// A TCP connection to a timing system, which sends as fast as it is read.
actor TimingConnection {
  /// A host that has no address.
  struct UnknownHost: Error, Hashable, CustomStringConvertible {
    var description: String
  }

  private enum Wake {
    case ready
    case timedOut
    case cancelled
  }

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let patience: Duration
  private var descriptor: Int32 = -1
  private var waiter: CheckedContinuation<Wake, Never>?

  /// - Parameters:
  ///   - loop: Where the connection lives. Looking up the host's name blocks it.
  ///   - patience: How long to wait for the connection, and for the next bytes: a timing system
  ///     sends its clock every second, so silence means that it is gone.
  init(loop: EventLoop, patience: Duration = .seconds(10)) {
    self.loop = loop
    self.patience = patience
  }

  /// Connects, to the first of the host's addresses that answers.
  ///
  /// - Throws: ``UnknownHost``, `SystemError`, `CancellationError`.
  func connect(to endpoint: TimingEndpoint) async throws {
    var failure: any Error = UnknownHost(description: "\(endpoint.host) has no address")
    for address in try Self.addresses(of: endpoint) {
      do {
        try await connect(to: address, endpoint)
        return
      } catch let error as SystemError {
        close()
        failure = error
      }
    }
    throw failure
  }

  /// The bytes that came next; none when the timing system has closed the connection.
  ///
  /// - Throws: `SystemError`, with `ETIMEDOUT` for a silence; `CancellationError`.
  func read() async throws -> [UInt8] {
    while true {
      // A timing system that sends without a pause is never waited for.
      try Task.checkCancellation()
      var count = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, initialized in
        count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        initialized = max(0, count)
      }
      if count >= 0 { return bytes }
      guard errno == EAGAIN || errno == EINTR else { throw SystemError("recv") }
      try await wait(for: .readable, call: "recv")
    }
  }

  func close() {
    guard descriptor >= 0 else { return }
    Glibc.close(descriptor)
    descriptor = -1
  }

  private func connect(to address: Address, _ endpoint: TimingEndpoint) async throws {
    let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    descriptor = socket(address.family, Int32(type), 0)
    guard descriptor >= 0 else { throw SystemError("socket", "\(endpoint)") }
    if address.connect(descriptor) == 0 { return }
    guard errno == EINPROGRESS else { throw SystemError("connect", "\(endpoint)") }
    try await wait(for: .writable, call: "connect")
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
    guard code == 0 else { throw SystemError("connect", "\(endpoint)", code: code) }
  }

  private func wait(for interest: Readiness, call: String) async throws {
    let registration = try loop.register(
      descriptor, for: interest,
      handler: DescriptorWatch { [unowned self] in assumeIsolated { $0.wake(.ready) } })
    let timer = loop.schedule(after: patience) { self.assumeIsolated { $0.wake(.timedOut) } }
    let reason = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiter = continuation
        // A later cancellation comes after this, because it has to come to the actor.
        if Task.isCancelled { wake(.cancelled) }
      }
    } onCancel: {
      Task { await self.wake(.cancelled) }
    }
    timer.cancel()
    loop.deregister(registration)
    switch reason {
    case .ready: return
    case .timedOut: throw SystemError(call, code: ETIMEDOUT)
    case .cancelled: throw CancellationError()
    }
  }

  private func wake(_ reason: Wake) {
    waiter?.resume(returning: reason)
    waiter = nil
  }
}
