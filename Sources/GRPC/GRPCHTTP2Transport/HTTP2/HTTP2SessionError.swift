import CNghttp2

/// A failure after which a session is of no more use.
struct HTTP2SessionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// nghttp2's error code, which is negative.
  var code: Int32

  init(_ code: Int) {
    self.code = Int32(truncatingIfNeeded: code)
  }

  /// Whether the peer sends more than it may of what has to be answered or kept.
  var isFlood: Bool { code == NGHTTP2_ERR_FLOODED.rawValue }

  var description: String { String(cString: nghttp2_strerror(code)) }
}
