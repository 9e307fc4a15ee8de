import CNghttp2

/// A failure after which a session is of no more use.
struct HTTP2SessionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// nghttp2's error code, which is negative.
  var code: Int32

  init(_ code: Int) {
    self.code = Int32(truncatingIfNeeded: code)
  }

  var description: String { String(cString: nghttp2_strerror(code)) }
}
