import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

@Suite struct PriorityFailoverTests {
  /// Two endpoints of priority 0, then two of priority 1.
  private func update(
    _ policy: inout PriorityFailover, _ states: [ConnectivityState], after: Duration = .zero
  ) -> LoadBalancingDecision {
    policy.update(
      .make(states, after: after) { number, endpoint in endpoint.priority = number > 2 ? 1 : 0 })
  }

  private func picks(_ decision: LoadBalancingDecision) -> Set<Int> {
    Set((0..<20).map { _ in decision.picker.pick().number })
  }

  @Test func theFirstPriorityGetsTheCalls() {
    var policy = PriorityFailover()
    let begin = update(&policy, [.idle, .idle, .idle, .idle])
    #expect(begin.connect.map(\.number) == [1, 2])
    #expect(begin.wakeAt == .beginning + .seconds(10))
    #expect(picks(update(&policy, [.ready, .ready, .idle, .idle])) == [1, 2])
    #expect(picks(update(&policy, [.ready, .transientFailure, .idle, .idle])) == [1])
  }

  @Test func theNextOneStepsInAndBack() {
    var policy = PriorityFailover()
    _ = update(&policy, [.idle, .idle, .idle, .idle])
    let failed = update(&policy, [.transientFailure, .transientFailure, .idle, .idle])
    #expect(failed.connect.map(\.number) == [3, 4])
    let second = update(&policy, [.transientFailure, .transientFailure, .ready, .ready])
    #expect(second.state == .ready && picks(second) == [3, 4])
    // While the first tries again the second keeps the calls.
    let trying = update(&policy, [.connecting, .transientFailure, .ready, .ready])
    #expect(picks(trying) == [3, 4])
    let back = update(&policy, [.ready, .transientFailure, .ready, .ready])
    #expect(picks(back) == [1])
    #expect(back.release.isEmpty && back.wakeAt == .beginning + .seconds(900))
  }

  @Test func whoIsNotNeededIsReadyForAWhile() {
    var policy = PriorityFailover()
    let failed: [ConnectivityState] = [.transientFailure, .transientFailure, .ready, .ready]
    let all: [ConnectivityState] = [.ready, .ready, .ready, .ready]
    _ = update(&policy, failed)
    _ = update(&policy, all, after: .seconds(10))
    // It is needed again, and then it is not for long.
    let again = update(&policy, failed, after: .seconds(600))
    #expect(again.connect.isEmpty && picks(again) == [3, 4])
    #expect(update(&policy, all, after: .seconds(700)).wakeAt == .beginning + .seconds(1600))
    #expect(update(&policy, all, after: .seconds(1599)).release.isEmpty)
    let over = update(&policy, all, after: .seconds(1600))
    #expect(over.release.map(\.number) == [3, 4] && over.wakeAt == nil)
    // Others' connections, as of a former policy, are of no use.
    var other = PriorityFailover()
    #expect(update(&other, all).release.map(\.number) == [3, 4])
  }

  @Test func whoTakesTooLongIsNotWaitedFor() {
    var policy = PriorityFailover()
    _ = update(&policy, [.idle, .idle, .idle, .idle])
    let early = update(&policy, [.connecting, .connecting, .idle, .idle], after: .seconds(9))
    #expect(early.connect.isEmpty && early.state == .connecting)
    let late = update(&policy, [.connecting, .connecting, .idle, .idle], after: .seconds(10))
    #expect(late.connect.map(\.number) == [3, 4])
  }

  @Test func whenAllHaveFailedCallsFail() {
    var policy = PriorityFailover()
    _ = update(&policy, [.idle, .idle, .idle, .idle])
    let failures = [ConnectivityState](repeating: .transientFailure, count: 4)
    _ = update(&policy, failures)
    let decision = update(&policy, failures)
    #expect(decision.state == .transientFailure && decision.picker.failure != nil)
    #expect(policy.update(.make([])).picker.failure == "The name has no addresses.")
  }

  // MARK: Subsets

  @Test func aSubsetIsConnectedTo() {
    let idle = [ConnectivityState](repeating: .idle, count: 20)
    var chosen: [Int: Int] = [:]
    for seed in 0..<UInt64(300) {
      var policy = RandomSubsetting(size: 5, seed: seed)
      let connected = policy.update(.make(idle)).connect.map(\.number)
      #expect(Set(connected).count == 5)
      for number in connected { chosen[number, default: 0] += 1 }
      // One that is gone changes one of them at most.
      var fewer = RandomSubsetting(size: 5, seed: seed)
      let others = fewer.update(.make(Array(idle.dropLast()))).connect.map(\.number)
      #expect(Set(connected).subtracting(others).count <= 1)
    }
    for number in 1...20 { #expect((35...120).contains(chosen[number] ?? 0)) }
  }
}
