import CLinux
import EventLoop
import Glibc

/// A connected stream socket on an event loop.
///
/// It reads into the loop's one buffer and hands the bytes on; it gathers a tick's output and
/// writes it with one system call. What the socket does not take is kept, and no more is asked
/// for until it is written, which bounds what a peer that does not read costs.
///
/// ```
///  connecting ──▶ (handshaking) ──▶ open ──closeAfterFlushing──▶ flushing ──all written──▶ lingering
///      │                │            │                              │                         │
///      └────────────────┴────────────┴───── close, error, end ──────┴─────────────────────────┴──▶ closed
/// ```
///
/// With TLS it handshakes before it is open, and its handler sees only what is decrypted.
///
/// `@unchecked Sendable` holds because all mutable state is touched on the loop alone.
final class SocketChannel: DescriptorHandler, EndOfTickHandler, @unchecked Sendable {
  /// Why a channel closed.
  enum CloseReason {
    /// It was closed from this side.
    case closedLocally
    /// The peer closed its side.
    case closedByPeer
    case failed(SystemError)
    /// TLS cannot be spoken with the peer.
    case insecure(TLSError)
  }

  enum State {
    case connecting
    /// TLS is agreed upon.
    case handshaking
    case open
    /// Writes what there is, then closes.
    case flushing
    /// Has closed its writing side and waits for the peer to do so: a socket closed over unread
    /// input resets the connection, which may take from the peer what was written last.
    case lingering
    case closed
  }

  /// How often one event reads the full buffer before other descriptors get their turn.
  private static let readsPerEvent = 4
  /// How long a peer has to take the last output, or to close its side after we have closed ours.
  static let lingerTime = Duration.seconds(1)

  private let lingerTime: Duration

  let loop: EventLoop
  let descriptor: Int32
  let buffers: SocketBuffers
  /// Nil if the connection is plaintext.
  let tls: TLSSession?
  private(set) var handler: (any SocketChannelHandler)?
  var state: State
  private var registration: DescriptorRegistration?
  private var flushIsScheduled = false
  /// Whether epoll tells when the socket takes more, which it is asked only while there is need: a
  /// Unix socket tells whenever its peer has read something, and would wake the loop for nothing.
  private var awaitsRoom: Bool
  private var lingerTimer: ScheduledTimer?
  /// What the socket did not take yet.
  private var unwritten: [UInt8] = []
  private var unwrittenStart = 0
  /// Why nothing more can be written, while what came in before is still read: it may tell what the peer has
  /// taken, as a GOAWAY does.
  private var sendError: SystemError?

  /// Takes over a connected, non-blocking descriptor. Only on the loop.
  ///
  /// - Throws: ``SystemError`` if epoll refuses it; it is closed then.
  init(
    adopting descriptor: Int32, on loop: EventLoop, tls: TLSSession? = nil,
    lingerTime: Duration = SocketChannel.lingerTime, handler: any SocketChannelHandler
  ) throws(SystemError) {
    self.loop = loop
    self.descriptor = descriptor
    self.tls = tls
    self.lingerTime = lingerTime
    self.handler = handler
    buffers = .of(loop)
    state = tls == nil ? .open : .handshaking
    awaitsRoom = false
    Self.disableNagle(descriptor)
    try register()
    if let tls { startHandshake(tls) }
  }

  /// Starts to connect; the handler is told how it ends. Only on the loop.
  ///
  /// - Throws: ``SystemError`` if it fails at once, ``InvalidSocketAddress``.
  init(
    connectingTo address: SocketAddress, on loop: EventLoop, tls: TLSSession? = nil,
    lingerTime: Duration = SocketChannel.lingerTime, handler: any SocketChannelHandler
  ) throws {
    let storage = try SocketAddressStorage(address)
    let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    descriptor = socket(storage.family, Int32(type), 0)
    guard descriptor >= 0 else { throw SystemError("socket", "\(address)") }
    self.loop = loop
    self.tls = tls
    self.lingerTime = lingerTime
    self.handler = handler
    buffers = .of(loop)
    state = .connecting
    awaitsRoom = true
    Self.disableNagle(descriptor)
    if storage.withSockaddr({ connect(descriptor, $0, $1) }) != 0, errno != EINPROGRESS {
      let error = SystemError("connect", "\(address)")
      Glibc.close(descriptor)
      throw error
    }
    // A socket that is connected already is reported as writable, so both ways meet there.
    try register()
  }

  /// Asks for output at the end of the tick.
  func scheduleFlush() {
    guard !flushIsScheduled else { return }
    flushIsScheduled = true
    loop.atEndOfTick(self)
  }

  /// Closes at once; what is not written yet is lost.
  func close() {
    close(.closedLocally)
  }

  /// Closes when all output is written and the peer has had a chance to read it.
  func closeAfterFlushing() {
    switch state {
    case .connecting, .handshaking: close(.closedLocally)
    case .open:
      state = .flushing
      scheduleFlush()
    case .flushing, .lingering, .closed: break
    }
  }

  func descriptorIsReady(_ readiness: Readiness) {
    if state == .connecting {
      // Until then there is no error to fetch either, which looks like success.
      guard !readiness.isDisjoint(with: [.writable, .hangUp, .error]), finishConnecting() else {
        return
      }
    }
    if !readiness.isDisjoint(with: [.readable, .peerClosed, .hangUp, .error]) {
      read(toTheEnd: !readiness.isDisjoint(with: [.peerClosed, .hangUp, .error]))
    }
    if readiness.contains(.writable), mayWrite { flush() }
  }

  func tickDidEnd() {
    flushIsScheduled = false
    if mayWrite { flush() }
  }

  private var mayWrite: Bool {
    switch state {
    case .handshaking, .open, .flushing: sendError == nil
    case .connecting, .lingering, .closed: false
    }
  }

  private static func disableNagle(_ descriptor: Int32) {
    var yes: Int32 = 1
    // Fails on sockets that have no such algorithm, which is as good.
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
  }

  private func register() throws(SystemError) {
    do {
      registration = try loop.register(
        descriptor, for: interest, edgeTriggered: true, handler: self)
    } catch {
      state = .closed
      handler = nil
      Glibc.close(descriptor)
      throw error
    }
  }

  private var interest: Readiness {
    awaitsRoom ? [.readable, .writable, .peerClosed] : [.readable, .peerClosed]
  }

  /// Has epoll tell, or not tell any more, when the socket takes more. If it does already, epoll tells
  /// at once.
  private func awaitRoom(_ awaits: Bool) {
    guard awaits != awaitsRoom, let registration else { return }
    awaitsRoom = awaits
    do throws(SystemError) {
      try loop.update(registration, for: interest, edgeTriggered: true)
    } catch {
      close(.failed(error))
    }
  }

  private func finishConnecting() -> Bool {
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
    guard code == 0 else {
      close(.failed(SystemError("connect", code: code)))
      return false
    }
    awaitRoom(false)
    guard state == .connecting else { return false }
    if let tls {
      state = .handshaking
      startHandshake(tls)
      return state == .handshaking
    }
    state = .open
    handler?.channelDidConnect()
    return state == .open || state == .flushing
  }
}

extension SocketChannel {
  /// Reads until there is no more.
  ///
  /// A read that does not fill the buffer has emptied a stream socket, which saves the read that
  /// would only say so; the end of the stream, once reported, must be read all the same.
  private func read(toTheEnd: Bool) {
    for _ in 0..<Self.readsPerEvent {
      let count = recv(descriptor, buffers.input.baseAddress, buffers.input.count, 0)
      if count > 0 {
        // While lingering, input is read only to find its end.
        let bytes = UnsafeRawBufferPointer(rebasing: buffers.input[..<count])
        if let tls {
          receive(bytes, through: tls)
        } else if state == .open || state == .flushing {
          handler?.channelDidReceive(bytes)
        }
        if state == .closed || (count < buffers.input.count && !toTheEnd) { return }
      } else if count == 0 {
        return close(.closedByPeer)
      } else if errno == EAGAIN {
        if let sendError { close(.failed(sendError)) }
        return
      } else if errno != EINTR {
        return close(.failed(SystemError("recv")))
      }
    }
    loop.execute {
      if self.state != .closed { self.read(toTheEnd: toTheEnd) }
    }
  }

  private func flush() {
    guard writeRest() else { return }
    if let tls { return flush(through: tls) }
    let output = buffers.output
    var mayHaveMore = true
    while mayHaveMore, let handler {
      output.removeAll()
      mayHaveMore = handler.channelWillWrite(into: output)
      guard output.count > 0, state != .closed else { break }
      guard writeAll(output) else { return }
    }
    if state == .flushing { linger() }
  }

  /// Writes a block, or keeps what the socket does not take.
  ///
  /// - Returns: Whether all of it is written.
  func writeAll(_ output: OutputBuffer) -> Bool {
    let written = write(UnsafeRawBufferPointer(output.bytes))
    guard written >= 0 else { return false }
    guard written < output.count else { return true }
    unwritten = Array(output.bytes[written...])
    unwrittenStart = 0
    awaitRoom(true)
    return false
  }

  /// Tells the handler that the connection is over, and closes when the peer has had a chance to read why.
  func fail(_ reason: CloseReason) {
    guard state != .closed, let handler else { return }
    self.handler = nil
    state = .flushing
    scheduleFlush()
    limitLingering()
    handler.channelDidClose(reason)
  }

  /// Writes what is left of an earlier flush; false if there is still something left.
  private func writeRest() -> Bool {
    guard !unwritten.isEmpty else { return true }
    let written = unwritten.withUnsafeBytes {
      write(UnsafeRawBufferPointer(rebasing: $0[unwrittenStart...]))
    }
    guard written >= 0 else { return false }
    unwrittenStart += written
    guard unwrittenStart == unwritten.count else { return false }
    unwritten = []
    awaitRoom(false)
    return state != .closed
  }

  /// Writes as much as the socket takes, of which it will say when it takes more; -1 if nothing can be written any
  /// more, and the channel closes.
  private func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    while sendError == nil {
      let count = send(
        descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      if count >= 0 { return count }
      if errno == EAGAIN { return 0 }
      if errno != EINTR {
        sendError = SystemError("send")
        read(toTheEnd: true)
      }
    }
    return -1
  }

  func linger() {
    state = .lingering
    shutdown(descriptor, Int32(SHUT_WR))
    limitLingering()
    // The peer may have closed already, and its end been reported.
    read(toTheEnd: true)
  }

  /// Gives the peer a time to take the last output: who takes nothing does not learn of an end either.
  func limitFlushing() {
    if lingerTimer == nil { limitLingering() }
  }

  private func limitLingering() {
    lingerTimer?.cancel()
    lingerTimer = loop.schedule(after: lingerTime) { self.close(.closedLocally) }
  }

  func close(_ reason: CloseReason) {
    guard state != .closed else { return }
    state = .closed
    lingerTimer?.cancel()
    if let registration { loop.deregister(registration) }
    registration = nil
    Glibc.close(descriptor)
    unwritten = []
    let handler = self.handler
    self.handler = nil
    handler?.channelDidClose(reason)
  }
}
