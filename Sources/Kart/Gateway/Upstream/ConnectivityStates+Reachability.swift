import GRPCHTTP2Transport

extension ConnectivityStates {
  /// Whether the services behind the channel can be called, now and whenever that changes.
  package var reachability: some AsyncSequence<Bool, Never> & Sendable {
    compactMap(\.isReachable)
  }
}

extension ConnectivityState {
  /// Whether calls get anywhere; nil while that is being found out, for which calls wait.
  var isReachable: Bool? {
    switch self {
    case .ready: true
    case .transientFailure: false
    case .idle, .connecting, .shutdown: nil
    }
  }
}
