import GRPCCore

/// What is told to who measures a call, if somebody does.
extension ClientCall {
  /// An attempt is over, and another may follow.
  final func measureAttempt(_ code: Status.Code) {
    guard let measure else { return }
    measure.attemptDidEnd(code, sent: outbound.sentBytes, received: receivedBytes)
    outbound.sentBytes = 0
  }

  /// The call is over.
  final func measureEnd(_ code: Status.Code) {
    guard let measure else { return }
    measureAttempt(code)
    measure.callDidEnd(code)
  }

  /// The call is made again at once, since no server has acted on it.
  final func didRetryTransparently() {
    channel.counters.transparentRetries += 1
    endAttempt(.failure(.notActedOn))
    guard let measure else { return }
    measureAttempt(.unavailable)
    measure.willRetry(transparently: true)
    measure.attemptDidStart()
  }
}

extension RPCError {
  static var notActedOn: RPCError {
    RPCError(code: .unavailable, message: "The server has not acted on the call.")
  }
}
