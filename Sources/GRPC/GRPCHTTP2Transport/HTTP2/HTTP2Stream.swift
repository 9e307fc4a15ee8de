/// One stream of an ``HTTP2Session``: the base of the server's calls and the client's.
///
/// The session tells it what arrives; it keeps what is to be sent. All of it happens on the
/// connection's loop.
///
/// `@unchecked Sendable` holds because all mutable state, here and in the subclasses, is touched
/// on the loop alone.
class HTTP2Stream: @unchecked Sendable {
  /// How the sending side ends when `outbound` is empty.
  enum End {
    /// Not yet: more messages may come.
    case open
    /// With the last DATA frame.
    case withData
    /// With a header block, for which ``submitTrailers()`` is called.
    case withTrailers
  }

  /// Why a stream is closed.
  enum CloseReason {
    /// Both sides have ended, or one has reset it; `noError` if it went in order.
    case ended(HTTP2ErrorCode)
    /// The connection is gone.
    case connectionClosed(SocketChannel.CloseReason)
  }

  /// The stream's number, 0 before it has one.
  final var id: Int32 = 0
  /// The place in the session's list of open streams; nil when it is not open.
  final var place: Int32?
  @exclusivity(unchecked)
  final var outbound = OutboundMessages()
  final var outboundEnd = End.open
  /// What was consumed and not given back to the peer yet; see ``HTTP2Session/consume(_:on:)``.
  final var unreportedConsumption = 0
  /// Whether nghttp2 was told that there is nothing to send and waits to be told otherwise.
  final var isDeferred = false
  /// Whether the stream was closed by the ends of both sides, and not by a reset.
  final var hasEndedInOrder = false

  /// A header block begins: headers, or trailers if there were headers already.
  func headersDidBegin() {}

  /// A field of the header block; the bytes are valid during the call only.
  func didReceiveHeader(
    name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>
  ) {}

  /// The header block is complete.
  func headersDidEnd(endStream: Bool) {}

  /// Data came in. The connection's flow-control window is given back already; the stream's is
  /// to be given back with ``HTTP2Session/consume(_:on:)``.
  ///
  /// - Parameter bytes: Valid during the call only.
  func didReceiveData(_ bytes: UnsafeRawBufferPointer) {}

  /// The peer has ended its side with a DATA frame.
  func didReceiveEnd() {}

  /// Some of `outbound` was taken to be sent.
  func outboundDidShrink() {}

  /// All messages are sent, and trailers are to follow.
  func submitTrailers() {}

  /// How many messages came.
  var receivedCount: Int { 0 }

  /// Whether the call has ended with OK.
  var isCallOK: Bool { false }

  /// The stream is closed; the last call.
  func didClose(_ reason: CloseReason) {}
}
