import CLinux
import EventLoop
import Glibc

/// A socket that accepts connections on an event loop.
///
/// `@unchecked Sendable` holds because all mutable state is touched on the loop alone.
final class ListeningSocket: DescriptorHandler, @unchecked Sendable {
  /// How long accepting pauses when the process or the system has run out of descriptors.
  private static let pause = Duration.milliseconds(100)
  /// How many connections one tick accepts, so that a storm of them leaves time for the others.
  private static let acceptsPerTick = 64

  /// The address it is bound to, with the port that was chosen if 0 was asked for.
  let address: SocketAddress
  private let descriptor: Int32
  private let file: UnixSocketFile?
  private let loop: EventLoop
  private var registration: DescriptorRegistration?
  private var onAccept: ((_ descriptor: Int32, _ peer: SocketAddress?) -> Void)?

  /// Binds an address and listens. Connections queue up in the kernel until ``start(_:)``.
  ///
  /// - Throws: ``SystemError`` or ``InvalidSocketAddress``, both naming the address.
  init(_ address: SocketAddress, on loop: EventLoop, backlog: Int32 = 4096) throws {
    let storage = try SocketAddressStorage(address)
    let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let descriptor = socket(storage.family, Int32(type), 0)
    guard descriptor >= 0 else { throw SystemError("socket", "\(address)") }
    do {
      if let unix = address.unixDomainSocket {
        file = try UnixSocketFile(binding: descriptor, to: unix.path, backlog: backlog)
        self.address = address
      } else {
        file = nil
        var yes: Int32 = 1
        setsockopt(
          descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard storage.withSockaddr({ bind(descriptor, $0, $1) }) == 0 else {
          throw SystemError("bind", "\(address)")
        }
        guard listen(descriptor, backlog) == 0 else { throw SystemError("listen", "\(address)") }
        self.address =
          SocketAddressStorage.filled { getsockname(descriptor, $0, $1) }.address ?? address
      }
    } catch {
      Glibc.close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    self.loop = loop
  }

  /// Starts to accept. Only on the loop.
  ///
  /// - Parameter onAccept: Takes over a connected, non-blocking descriptor.
  /// - Throws: ``SystemError`` if epoll refuses the socket.
  func start(
    onAccept: @escaping (_ descriptor: Int32, _ peer: SocketAddress?) -> Void
  ) throws(SystemError) {
    self.onAccept = onAccept
    registration = try loop.register(descriptor, for: .readable, handler: self)
  }

  /// Stops to accept, after those who are connected in the kernel's queue already. Only on the
  /// loop.
  func close() {
    file?.remove()
    if let registration {
      self.registration = nil
      while acceptOne() {}
      loop.deregister(registration)
    }
    onAccept = nil
    Glibc.close(descriptor)
  }

  func descriptorIsReady(_ readiness: Readiness) {
    for _ in 0..<Self.acceptsPerTick where registration != nil {
      guard acceptOne() else { return }
    }
  }

  /// Accepts a connection; false when there is none, or none can be had now.
  private func acceptOne() -> Bool {
    let flags = Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let (accepted, peer) = SocketAddressStorage.filled { accept4(descriptor, $0, $1, flags) }
    if accepted >= 0 {
      onAccept?(accepted, peer)
      return true
    }
    switch errno {
    case EMFILE, ENFILE, ENOBUFS, ENOMEM:
      pauseAccepting()
      return false
    case EAGAIN:
      return false
    default:
      // The connection is gone before it was accepted; the next one need not be.
      return errno != EBADF && errno != EINVAL
    }
  }

  /// The socket stays readable while nothing can be accepted; without a pause the loop would spin.
  private func pauseAccepting() {
    guard let registration else { return }
    try? loop.update(registration, for: [])
    loop.schedule(after: Self.pause) {
      guard let registration = self.registration else { return }
      try? self.loop.update(registration, for: .readable)
    }
  }
}
