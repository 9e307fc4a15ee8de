import GRPCCore

/// What a load-balancing policy, and the subchannel, learn of the calls that were sent there.
extension ClientCall {
  /// Tells that the call was sent.
  final func track(_ result: PickResult, on subchannel: Subchannel) {
    self.subchannel = subchannel
    subchannel.callDidStart()
    guard result.tracker != nil || result.observer != nil else { return }
    trackers = (result.tracker, result.observer)
    trackers.picker?.callDidStart()
    trackers.observer?.callDidStart()
  }

  /// Tells how the call has ended.
  final func untrack(_ end: End) {
    guard let subchannel else { return }
    self.subchannel = nil
    let code = isGivenUp ? nil : end.code
    if trackers.picker != nil || trackers.observer != nil {
      var outcome = CallOutcome(code: code)
      if case .status(_, let trailers) = end, !isGivenUp { outcome.load = trailers.loadReport }
      tellTrackers(outcome)
    }
    subchannel.callDidEnd(code)
  }

  /// Tells that the call was taken back.
  final func untrack() {
    guard let subchannel else { return }
    self.subchannel = nil
    tellTrackers(CallOutcome(code: nil))
    subchannel.callDidEnd(nil)
  }

  private final func tellTrackers(_ outcome: CallOutcome) {
    trackers.picker?.callDidEnd(outcome)
    trackers.observer?.callDidEnd(outcome)
    trackers = (nil, nil)
  }
}
