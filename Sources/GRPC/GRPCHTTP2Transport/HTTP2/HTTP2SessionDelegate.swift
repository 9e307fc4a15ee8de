/// Is told what concerns a whole session, on the connection's loop.
protocol HTTP2SessionDelegate: AnyObject {
  /// The peer opens a stream.
  ///
  /// - Returns: The stream's object, or nil to refuse it (`REFUSED_STREAM`).
  func sessionWillOpenStream(_ id: Int32) -> HTTP2Stream?

  /// A stream is closed, and has been told.
  func sessionDidCloseStream(_ stream: HTTP2Stream)

  /// The peer has sent a frame that is against the rules, and cost it a stream or the connection.
  func sessionDidRejectFrame()

  /// The peer's settings came.
  func sessionDidReceiveSettings()

  /// The peer will accept no stream after a certain one.
  ///
  /// - Parameters:
  ///   - lastStreamID: The last of our streams that it may have acted on.
  ///   - code: Why.
  ///   - debugData: Words for people; valid during the call only.
  func sessionDidReceiveGoAway(
    lastStreamID: Int32, code: HTTP2ErrorCode, debugData: UnsafeRawBufferPointer)

  /// A PING came, to which the answer is given already, or the answer to one of ours.
  func sessionDidReceivePing(_ payload: UInt64, isAnswer: Bool)
}
