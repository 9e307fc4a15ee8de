import EventLoop
import GRPCCore

/// An HTTP/2 connection: a socket and a session, which the server's and the client's build on.
///
/// Everything happens on the loop. Whatever changes what there is to send calls
/// ``setNeedsFlush()``; the output of a tick is then written at its end, once.
///
/// `@unchecked Sendable` holds because all mutable state, here and in the subclasses, is touched
/// on the loop alone.
class HTTP2Connection: SocketChannelHandler, HTTP2SessionDelegate, @unchecked Sendable {
  final let loop: EventLoop
  final let session: HTTP2Session
  final let channelzID = ChannelzEntity.nextID()
  @exclusivity(unchecked)
  final var statistics = ConnectionStatistics()
  /// Nil before it is opened, and after it has closed.
  @exclusivity(unchecked)
  private(set) final var channel: SocketChannel?
  /// Whether bytes are being taken in: what they cause is flushed once, after them.
  private final var isReceiving = false

  /// Makes a connection without a socket yet. Only on the loop.
  init(
    role: HTTP2Session.Role, settings: HTTP2Settings, on loop: EventLoop
  ) throws(HTTP2SessionError) {
    self.loop = loop
    session = try HTTP2Session(role: role, settings: settings, memory: .of(loop))
    session.delegate = self
  }

  deinit {
    guard !loop.inEventLoop else { return }
    // The session's memory is the loop's, so it is freed there. Nobody else has it any more.
    nonisolated(unsafe) let session = session
    loop.execute { withExtendedLifetime(session) {} }
  }

  /// Takes over a connected descriptor.
  final func open(adopting descriptor: Int32, tls: TLSSession? = nil) throws {
    channel = try SocketChannel(adopting: descriptor, on: loop, tls: tls, handler: self)
    setNeedsFlush()
  }

  /// Starts to connect; ``didConnect()`` or ``didClose(_:)`` tells how that ends.
  final func open(connectingTo address: SocketAddress, tls: TLSSession? = nil) throws {
    channel = try SocketChannel(connectingTo: address, on: loop, tls: tls, handler: self)
  }

  /// Asks for output at the end of the tick.
  final func setNeedsFlush() {
    if !isReceiving { channel?.scheduleFlush() }
  }

  /// Closes at once, without a word to the peer.
  final func close() {
    channel?.close()
  }

  /// Says GOAWAY and closes once that is written, whatever streams are open.
  ///
  /// - Parameters:
  ///   - code: Why.
  ///   - words: The same for people, in ASCII.
  final func terminate(_ code: HTTP2ErrorCode, saying words: String = "") {
    session.terminate(code, saying: words)
    setNeedsFlush()
  }

  /// The connection is established. A plaintext one that was accepted is from the beginning.
  func didConnect() {}

  /// Bytes came in, which the session takes next.
  ///
  /// - Returns: Whether it shall.
  func didReceive(_ bytes: UnsafeRawBufferPointer) -> Bool { true }

  /// The session has taken the bytes, and what it answers is not written yet.
  func didTakeBytes() {}

  /// The connection is closed; its streams are told after this.
  func didClose(_ reason: SocketChannel.CloseReason) {}

  func sessionWillOpenStream(_ id: Int32) -> HTTP2Stream? { nil }

  func sessionDidCloseStream(_ stream: HTTP2Stream) {}

  func sessionDidRejectFrame() {}

  func sessionDidReceiveSettings() {}

  func sessionDidReceiveGoAway(
    lastStreamID: Int32, code: HTTP2ErrorCode, debugData: UnsafeRawBufferPointer
  ) {}

  func sessionDidReceivePing(_ payload: UInt64, isAnswer: Bool) {}

  final func channelDidConnect() {
    didConnect()
    setNeedsFlush()
  }

  final func channelDidReceive(_ bytes: UnsafeRawBufferPointer) {
    isReceiving = true
    if didReceive(bytes) {
      do throws(HTTP2SessionError) {
        try session.receive(bytes)
      } catch {
        session.terminate(error.isFlood ? .enhanceYourCalm : .protocolError)
      }
      didTakeBytes()
    }
    isReceiving = false
    setNeedsFlush()
  }

  final func channelWillWrite(into output: OutputBuffer) -> Bool {
    do throws(HTTP2SessionError) {
      let mayHaveMore = try session.produce(into: output)
      if !mayHaveMore, session.isFinished { channel?.closeAfterFlushing() }
      return mayHaveMore
    } catch {
      channel?.closeAfterFlushing()
      return false
    }
  }

  final func channelDidClose(_ reason: SocketChannel.CloseReason) {
    channel = nil
    didClose(reason)
    // The close may come out of one of nghttp2's callbacks, which still has pointers to streams.
    loop.execute { self.session.closeAllStreams(reason) }
  }
}
