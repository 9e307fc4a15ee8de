/// What one side of a connection asks of the other (RFC 9113, section 6.5.2).
struct HTTP2Settings: Hashable, Sendable {
  /// How many streams the peer may have open at once; nil leaves it free.
  ///
  /// This is what the peer is told. Whoever accepts streams refuses those beyond it; see
  /// ``HTTP2SessionDelegate/sessionWillOpenStream(_:)``.
  var maxConcurrentStreams: Int?
  /// How many bytes of data the peer may send on a stream before some were consumed.
  var initialWindowSize: Int = 256 << 10
  /// What the window of a stream may become as the connection turns out to carry more.
  var maxWindowSize: Int = 4 << 20
  /// The same as the initial window for all streams of the connection together. The connection's window is given back
  /// as data arrives, so that a stream that is not read holds up no other.
  var connectionWindowSize: Int = 1 << 20
  /// The largest header list the peer should send, in bytes as RFC 9113 counts them.
  var maxHeaderListSize: Int = 16 << 10
}
