import GRPCCore
import KartTesting
import Testing

@testable import GRPCHTTP2Transport

@Suite struct RoundRobinTests {
  @Test func connectsToEveryEndpoint() {
    var policy = RoundRobin()
    let decision = policy.update(.make([.idle, .idle, .idle]))
    #expect(decision.state == .connecting)
    #expect(decision.connect.map(\.number) == [1, 2, 3])
  }

  @Test(arguments: 1...8) func spreadsEvenlyOverTheReadyOnes(endpoints: Int) {
    var policy = RoundRobin()
    let states = (0..<endpoints).map { _ in ConnectivityState.ready } + [.connecting]
    let picker = policy.update(.make(states)).picker
    var counts: [Int: Int] = [:]
    for _ in 0..<(10 * endpoints) { counts[picker.picked ?? 0, default: 0] += 1 }
    #expect(counts == Dictionary(uniqueKeysWithValues: (1...endpoints).map { ($0, 10) }))
  }

  @Test func startsWhereTheGeneratorSays() {
    let starts = (0..<UInt64(64)).map { seed in
      var policy = RoundRobin(generator: SeededGenerator(seed: seed))
      return policy.update(.make([.ready, .ready, .ready])).picker.picked
    }
    #expect(Set(starts) == [1, 2, 3])
    var again = RoundRobin(generator: SeededGenerator(seed: 0))
    #expect(again.update(.make([.ready, .ready, .ready])).picker.picked == starts[0])
  }

  @Test func keepsItsTurnWhileTheSameAreReady() {
    var policy = RoundRobin()
    let first = policy.update(.make([.ready, .ready, .connecting])).picker.picked
    let second = policy.update(.make([.ready, .ready, .transientFailure])).picker.picked
    #expect(first != second)
  }

  @Test func leavesOutWhatIsLostAndConnectsItAgainAtOnce() {
    var policy = RoundRobin()
    _ = policy.update(.make([.ready, .ready]))
    let lost = policy.update(.make([.idle, .ready]))
    #expect(lost.connect.map(\.number) == [1])
    #expect(lost.state == .ready)
    #expect(lost.picker.picked == 2)
    #expect(lost.picker.picked == 2)
  }

  @Test(arguments: [
    ([ConnectivityState.ready, .transientFailure], ConnectivityState.ready),
    ([.connecting, .transientFailure], .connecting),
    ([.transientFailure, .transientFailure], .transientFailure),
    ([], .transientFailure),
  ])
  func aggregatesStates(endpoints: [ConnectivityState], channel: ConnectivityState) {
    var policy = RoundRobin()
    _ = policy.update(.make(endpoints.map { _ in .idle }))
    #expect(policy.update(.make(endpoints)).state == channel)
  }

  @Test func anEndpointThatFailedCountsAsFailedWhileItIsTriedAgain() {
    var policy = RoundRobin()
    _ = policy.update(.make([.idle]))
    _ = policy.update(.make([.connecting]))
    #expect(policy.update(.make([.transientFailure])).picker.failure == "subchannel 1")
    #expect(policy.update(.make([.connecting])).state == .transientFailure)
  }

  @Test func usesOneAddressOfAnEndpointWithSeveral() {
    var policy = RoundRobin()
    func view(_ states: [ConnectivityState]) -> LoadBalancingView {
      LoadBalancingView(
        endpoints: [
          EndpointStatus(
            endpoint: .numbered(1),
            subchannels: states.enumerated().map {
              SubchannelStatus(id: .numbered($0 + 1), state: $1)
            })
        ], isWanted: false)
    }
    #expect(policy.update(view([.idle, .idle])).connect.map(\.number) == [1])
    #expect(policy.update(view([.transientFailure, .idle])).connect.map(\.number) == [2])
    #expect(policy.update(view([.transientFailure, .ready])).picker.picked == 2)
  }
}
