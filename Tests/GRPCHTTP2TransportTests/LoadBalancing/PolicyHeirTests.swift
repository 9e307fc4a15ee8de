import GRPCCore
import KartTesting
import Testing

@testable import GRPCHTTP2Transport

/// What policies keep when the service's configuration changes.
@Suite struct PolicyHeirTests {
  private func heir<Policy: LoadBalancingPolicy>(_ new: Policy, of former: Policy) -> Policy {
    var heir = new
    heir.inherit(from: former)
    return heir
  }

  @Test func turnsGoOn() {
    var first = RoundRobin(generator: SeededGenerator(seed: 1))
    let view = LoadBalancingView.make([.ready, .ready, .ready])
    let picker = first.update(view).picker
    var second = heir(RoundRobin(generator: SeededGenerator(seed: 2)), of: first)
    let next = second.update(view).picker
    #expect(Set([picker.picked, next.picked, picker.picked]) == [1, 2, 3])
  }

  @Test func callsUnderWayAreStillCounted() {
    var first = LeastRequest(generator: SeededGenerator(seed: 1))
    let view = LoadBalancingView.make([.ready, .ready])
    let picker = first.update(view).picker
    var result = picker.pick()
    while result.number != 1 { result = picker.pick() }
    for _ in 0..<50 { result.tracker?.callDidStart() }
    var second = heir(LeastRequest(choiceCount: 10, generator: SeededGenerator(seed: 2)), of: first)
    let next = second.update(view).picker
    // All ten choices fall on the first in one of a thousand cases.
    #expect((0..<100).count { _ in next.picked == 1 } < 5)
  }

  @Test func weightsStayAndNewReportsCountAsIsSaidNow() throws {
    var settings = WeightedRoundRobin.Settings()
    settings.outOfBandReportInterval = .seconds(1)
    var first = WeightedRoundRobin(settings)
    func view(after: Duration, errors: [Double]) -> LoadBalancingView {
      var view = LoadBalancingView.make([.ready, .ready], after: after)
      for index in view.endpoints.indices {
        view.endpoints[index].subchannels[0].load = (
          LoadReport(
            cpuUtilization: 0.5, requestsPerSecond: index == 0 ? 100 : 50,
            errorsPerSecond: errors[index]), view.now
        )
      }
      return view
    }
    _ = first.update(view(after: .zero, errors: [0, 0]))
    settings.errorUtilizationPenalty = 3
    var second = heir(WeightedRoundRobin(settings), of: first)
    // The blackout began with the first report.
    let picker = second.update(view(after: .seconds(10), errors: [0, 0])).picker
    #expect(try #require(picker as? StridePicker).weights == [.max, .max / 2 + 1])
    // A half of the requests fails: 100 / (0.5 + 0.5 × 3) = 50.
    let other = second.update(view(after: .seconds(11), errors: [50, 0])).picker
    #expect(try #require(other as? StridePicker).weights == [.max / 2 + 1, .max])
  }

  @Test func theSubsetStays() {
    let states = [ConnectivityState](repeating: .idle, count: 20)
    var first = RandomSubsetting(size: 5, seed: 1)
    let connected = Set(first.update(.make(states)).connect)
    var second = heir(RandomSubsetting(size: 5, seed: 2), of: first)
    let view = LoadBalancingView.make(
      (1...20).map { connected.contains(.numbered($0)) ? .ready : .idle })
    let decision = second.update(view)
    #expect(decision.connect.isEmpty && decision.release.isEmpty)
    // A larger one contains it.
    var third = heir(RandomSubsetting(size: 8, seed: 3), of: second)
    let larger = third.update(view)
    #expect(larger.connect.count == 3 && larger.release.isEmpty)
  }

  @Test func aPriorityGetsNoMoreTimeToConnect() {
    func view(after: Duration) -> LoadBalancingView {
      .make([.connecting, .idle], after: after) { $1.priority = $0 - 1 }
    }
    var first = PriorityFailover()
    _ = first.update(view(after: .zero))
    var second = heir(PriorityFailover { LeastRequest() }, of: first)
    #expect(second.update(view(after: .seconds(9))).wakeAt == .beginning + .seconds(10))
    #expect(second.update(view(after: .seconds(10))).connect == [.numbered(2)])
  }

  @Test func aConnectionStays() {
    var first = PickFirst()
    _ = first.update(.make([.transientFailure, .ready]))
    var second = heir(PickFirst(shufflingWith: SeededGenerator(seed: 1)), of: first)
    let decision = second.update(.make([.ready, .ready]))
    #expect(decision.picker.picked == 2 && decision.release == [.numbered(1)])
  }

  @Test(arguments: UInt64(0)..<20) func theOrderOfAddressesStays(seed: UInt64) {
    // With the second half of what could have been tried still to come.
    func connected(_ policy: PickFirst) -> [SubchannelID] {
      var policy = policy
      var states = [ConnectivityState](repeating: .idle, count: 6)
      var order: [SubchannelID] = []
      while let next = policy.update(.make(states, isWanted: true)).connect.first,
        !order.contains(next)
      {
        order.append(next)
        states[next.number - 1] = .transientFailure
      }
      return order
    }
    var first = PickFirst(shufflingWith: SeededGenerator(seed: seed))
    _ = first.update(.make([ConnectivityState](repeating: .idle, count: 6)))
    let second = heir(PickFirst(shufflingWith: SeededGenerator(seed: seed + 1)), of: first)
    #expect(connected(second) == connected(first))
  }

  /// An endpoint that cannot be connected to stays one while it is tried again.
  @Test(
    arguments: [
      (PickFirst(), PickFirst()), (RoundRobin(), RoundRobin()), (LeastRequest(), LeastRequest()),
      (RingHash(), RingHash(header: "other")), (WeightedRoundRobin(), WeightedRoundRobin()),
      (RandomSubsetting(size: 1), RandomSubsetting(size: 1)),
      (OutlierDetection(), OutlierDetection()), (PriorityFailover(), PriorityFailover()),
    ] as [(any LoadBalancingPolicy, any LoadBalancingPolicy)])
  func failureStaysFailure(first: any LoadBalancingPolicy, second: any LoadBalancingPolicy) {
    var first = first
    _ = first.update(.make([.transientFailure], isWanted: true))
    var second = second
    second.inherit(from: first)
    #expect(second.update(.make([.connecting])).state == .transientFailure)
  }

  @Test func anotherKindLeavesNothing() {
    var first = RoundRobin()
    _ = first.update(.make([.transientFailure]))
    var second = PickFirst()
    second.inherit(from: first)
    #expect(second.update(.make([.connecting], isWanted: true)).state == .connecting)
  }
}
