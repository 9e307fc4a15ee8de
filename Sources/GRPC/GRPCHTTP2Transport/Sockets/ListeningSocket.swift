import CLinux
import EventLoop
import GRPCCore
import Glibc

/// A socket that accepts connections on an event loop.
///
/// `@unchecked Sendable` holds because all mutable state is touched on the loop alone.
final class ListeningSocket: DescriptorHandler, @unchecked Sendable {
  /// Accepts the next connection of a socket's queue, or fails as `accept4` does.
  typealias Accept = (_ listening: Int32) -> (descriptor: Int32, peer: SocketAddress?)

  /// How long accepting pauses when the process or the system has run out of descriptors.
  private static let pause = Duration.milliseconds(100)
  /// How many connections one tick accepts, so that a storm of them leaves time for the others.
  private static let acceptsPerTick = 64
  private static let backlog: Int32 = 4096

  /// What came of an attempt to accept a connection.
  private enum Attempt {
    case accepted
    /// The connection was gone before, or the socket has an error that may stay.
    case failed
    /// There is none, or none can be had now.
    case none
  }

  /// The address it is bound to, with the port that was chosen if 0 was asked for.
  let channelzID = ChannelzEntity.nextID()
  let address: SocketAddress
  private var descriptor: Int32
  private var file: UnixSocketFile?
  private let options: ListeningOptions
  private let loop: EventLoop
  private let accept: Accept
  private var registration: DescriptorRegistration?
  private var watch: FolderWatch?
  private var isShort = false
  private var onAccept: ((_ descriptor: Int32, _ peer: SocketAddress?) -> Void)?

  /// Binds an address and listens. Connections queue up in the kernel until ``start(_:)``.
  ///
  /// - Throws: ``SystemError`` or ``InvalidSocketAddress``, both naming the address.
  init(
    _ address: SocketAddress, options: ListeningOptions = ListeningOptions(), on loop: EventLoop,
    accept: @escaping Accept = acceptNext
  ) throws {
    self.options = options
    let storage = try SocketAddressStorage(address)
    let descriptor = try Self.makeSocket(storage.family, for: address)
    do {
      if let unix = address.unixDomainSocket {
        file = try UnixSocketFile(
          binding: descriptor, to: unix.path, backlog: Self.backlog, options: options)
        self.address = address
      } else {
        file = nil
        Self.set(SO_REUSEADDR, of: SOL_SOCKET, on: descriptor, to: true)
        if options.reusesPort { Self.set(SO_REUSEPORT, of: SOL_SOCKET, on: descriptor, to: true) }
        if address.ipv6 != nil {
          Self.set(
            IPV6_V6ONLY, of: Int32(IPPROTO_IPV6), on: descriptor, to: options.isIPv6Only)
        }
        guard storage.withSockaddr({ bind(descriptor, $0, $1) }) == 0 else {
          throw SystemError("bind", "\(address)")
        }
        guard listen(descriptor, Self.backlog) == 0 else {
          throw SystemError("listen", "\(address)")
        }
        self.address =
          SocketAddressStorage.filled { getsockname(descriptor, $0, $1) }.address ?? address
      }
    } catch {
      Glibc.close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    self.loop = loop
    self.accept = accept
  }

  /// Takes over a socket that listens already, such as one that a service manager has bound. The
  /// path of a Unix domain socket stays when it is closed: whoever bound it removes it.
  ///
  /// - Throws: ``SystemError`` naming the descriptor, where it is no stream socket that listens.
  init(adopting descriptor: Int32, on loop: EventLoop) throws(SystemError) {
    options = ListeningOptions()
    var isListening: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &length) == 0 else {
      throw SystemError("adopt", "descriptor \(descriptor)")
    }
    let name = SocketAddressStorage.filled { getsockname(descriptor, $0, $1) }
    guard isListening == 1, let address = name.address else {
      throw SystemError("adopt", "descriptor \(descriptor)", code: EINVAL)
    }
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0,
      fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
    else { throw SystemError("adopt", "descriptor \(descriptor)") }
    self.address = address
    self.descriptor = descriptor
    self.loop = loop
    accept = Self.acceptNext
  }

  static func acceptNext(_ listening: Int32) -> (descriptor: Int32, peer: SocketAddress?) {
    let flags = Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let (accepted, peer) = SocketAddressStorage.filled { accept4(listening, $0, $1, flags) }
    return (accepted, peer)
  }

  private static func set(
    _ option: Int32, of level: Int32, on descriptor: Int32, to isOn: Bool
  ) {
    var value: Int32 = isOn ? 1 : 0
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func makeSocket(
    _ family: Int32, for address: SocketAddress
  ) throws(SystemError) -> Int32 {
    let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let descriptor = socket(family, Int32(type), 0)
    guard descriptor >= 0 else { throw SystemError("socket", "\(address)") }
    return descriptor
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
    if let file {
      let (folder, name) = FolderWatch.split(file.path)
      watch = FolderWatch(path: folder, file: name, loop: loop) { [weak self] in self?.comeBack() }
    }
  }

  /// Binds again after someone has removed the socket's file, without which no client finds the
  /// server. The clients that are connected notice nothing.
  private func comeBack() {
    // Another socket under the name stays: someone has taken it over.
    guard registration != nil, let path = address.unixDomainSocket?.path,
      access(path, F_OK) != 0, errno == ENOENT
    else { return }
    file?.remove()
    file = nil
    guard let successor = try? Self.makeSocket(AF_UNIX, for: address) else { return }
    // What fails is tried again when the folder changes again.
    let bound = try? UnixSocketFile(
      binding: successor, to: path, backlog: Self.backlog, options: options)
    guard let bound else {
      Glibc.close(successor)
      return
    }
    guard let accepting = try? loop.register(successor, for: .readable, handler: self) else {
      bound.remove()
      Glibc.close(successor)
      return
    }
    stopAccepting()
    Glibc.close(descriptor)
    descriptor = successor
    self.file = bound
    registration = accepting
  }

  /// Stops to accept, after those who are connected in the kernel's queue already. Only on the
  /// loop.
  func close() {
    watch?.stop()
    file?.remove()
    stopAccepting()
    onAccept = nil
    Glibc.close(descriptor)
  }

  private func stopAccepting() {
    guard let registration else { return }
    self.registration = nil
    // No more are queued than this.
    for _ in 0...Self.backlog where acceptOne() == .none { break }
    loop.deregister(registration)
  }

  func descriptorIsReady(_ readiness: Readiness) {
    var failures = 0
    for _ in 0..<Self.acceptsPerTick where registration != nil {
      switch acceptOne() {
      case .accepted: break
      case .failed: failures += 1
      case .none: return
      }
    }
    // Connections do not all fail, so it is the socket.
    if failures == Self.acceptsPerTick { pauseAccepting() }
  }

  private func acceptOne() -> Attempt {
    let (accepted, peer) = accept(descriptor)
    if accepted >= 0 {
      // The lowest number that is free is given first.
      guard Int(accepted) + options.reservedDescriptors < Int(clamping: descriptor_limit()) else {
        Glibc.close(accepted)
        runShort()
        return .none
      }
      isShort = false
      onAccept?(accepted, peer)
      return .accepted
    }
    switch errno {
    case EMFILE, ENFILE, ENOBUFS, ENOMEM:
      runShort()
      return .none
    case EAGAIN:
      return .none
    case EBADF, EINVAL:
      // It listens no more: whoever else holds it has shut it down, and epoll would say so for ever.
      if let registration { loop.deregister(registration) }
      registration = nil
      return .none
    default:
      // The next connection need not fail as well.
      return .failed
    }
  }

  private func runShort() {
    if !isShort {
      isShort = true
      options.onDescriptorShortage?()
    }
    pauseAccepting()
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
