import GRPCHTTP2Transport
import Testing

@testable import Gateway

@Suite struct ReachabilityTests {
  /// While a connection is made, calls wait for it, so that nothing has changed yet.
  @Test(
    arguments: [
      (ConnectivityState.idle, nil), (.connecting, nil), (.ready, true), (.transientFailure, false),
      (.shutdown, nil),
    ] as [(ConnectivityState, Bool?)])
  func onlyWhatIsKnownCounts(state: ConnectivityState, isReachable: Bool?) {
    #expect(state.isReachable == isReachable)
  }
}
