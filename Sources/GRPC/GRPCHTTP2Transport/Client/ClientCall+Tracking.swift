import GRPCCore

/// What a load-balancing policy learns of the calls that it has sent somewhere.
extension ClientCall {
  /// Tells the policy that the call was sent.
  final func track(_ result: PickResult) {
    guard result.tracker != nil || result.observer != nil else { return }
    trackers = (result.tracker, result.observer)
    trackers.picker?.callDidStart()
    trackers.observer?.callDidStart()
  }

  /// Tells the policy how the call has ended.
  final func untrack(_ end: End) {
    guard trackers.picker != nil || trackers.observer != nil else { return }
    guard !isGivenUp else { return untrack(CallOutcome(code: nil)) }
    var load: LoadReport?
    if case .status(_, let trailers) = end { load = trailers.loadReport }
    untrack(CallOutcome(code: end.code, load: load))
  }

  /// Tells the policy that the call was taken back.
  final func untrack(code: Status.Code?) {
    guard trackers.picker != nil || trackers.observer != nil else { return }
    untrack(CallOutcome(code: code))
  }

  private final func untrack(_ outcome: CallOutcome) {
    trackers.picker?.callDidEnd(outcome)
    trackers.observer?.callDidEnd(outcome)
    trackers = (nil, nil)
  }
}
