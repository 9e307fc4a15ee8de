import GRPCCore

/// One of several attempts of a hedged call whose messages are written and read one by one.
///
/// It sends what the call's user has written and writes still. The call commits to the first attempt whose response
/// begins, and only that one's messages reach the user.
///
/// Everything happens on the channel's loop.
final class StreamingAttempt: ClientCall, @unchecked Sendable {
  private var call: StreamingCall?
  private var hasSent = false

  /// Makes an attempt; the first has the number 0.
  init(of call: StreamingCall, number: Int) {
    self.call = call
    super.init(attemptOf: call, number: number)
    outboundEnd = call.outboundEnd
    // The request is kept, and checked, for as long as there may be another attempt.
    _ = rewind()
  }

  override func enter(_ channel: Channel) {
    call?.attemptWillStart(self)
    super.enter(channel)
  }

  /// Sends one more message.
  func send(_ message: [UInt8], _ compression: CompressionAlgorithm?) {
    queue(message, compression: compression)
    connection?.resume(self)
  }

  /// Ends the request.
  func finishSending() {
    outboundEnd = .withData
    connection?.resume(self)
  }

  override func rewind() -> Bool {
    guard let replay = call?.replay else { return !hasSent }
    queue(replay)
    hasSent = false
    return true
  }

  override var keepsRequest: Bool { call?.replay != nil || !hasSent }

  override func outboundDidShrink() {
    hasSent = true
    call?.makeRoom()
  }

  override func didReceive(metadata: Metadata) {
    call?.commit(to: self, metadata)
  }

  override func didReceive(message: [UInt8]) {
    call?.didReceive(message: message, isCompressed: latestIsCompressed)
  }

  override func didTake(_ count: Int) {
    call?.didTake(count)
  }

  override func didEnd(_ end: End) {
    let call = call
    self.call = nil
    call?.attemptDidEnd(self, end)
  }
}
