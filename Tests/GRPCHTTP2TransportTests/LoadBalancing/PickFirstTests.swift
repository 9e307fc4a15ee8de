import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

@Suite struct PickFirstTests {
  @Test func idleUntilACallWaits() {
    var policy = PickFirst()
    let idle = policy.update(.make([.idle, .idle]))
    #expect(idle.state == .idle)
    #expect(idle.connect.isEmpty)
    #expect(idle.picker.waits)
    let wanted = policy.update(.make([.idle, .idle], isWanted: true))
    #expect(wanted.state == .connecting)
    #expect(wanted.connect.map(\.number) == [1])
  }

  @Test func triesEveryAddressInOrder() {
    var policy = PickFirst()
    _ = policy.update(.make([.idle, .idle, .idle], isWanted: true))
    #expect(policy.update(.make([.connecting, .idle, .idle])).connect.isEmpty)
    let second = policy.update(.make([.transientFailure, .idle, .idle]))
    #expect(second.state == .connecting)
    #expect(second.connect.map(\.number) == [2])
    let third = policy.update(.make([.transientFailure, .transientFailure, .idle]))
    #expect(third.connect.map(\.number) == [3])
    let ready = policy.update(.make([.transientFailure, .transientFailure, .ready]))
    #expect(ready.state == .ready)
    #expect(ready.picker.picked == 3)
  }

  @Test func anEarlyAddressWhoseBackoffEndsDoesNotDelayTheLaterOnes() {
    var policy = PickFirst()
    _ = policy.update(.make([.idle, .idle, .idle], isWanted: true))
    _ = policy.update(.make([.transientFailure, .idle, .idle]))
    let third = policy.update(.make([.idle, .transientFailure, .idle]))
    #expect(third.connect.map(\.number) == [3])
  }

  @Test func failsCallsOnceAllHaveFailedAndStaysSoUntilOneIsReady() {
    var policy = PickFirst()
    _ = policy.update(.make([.idle, .idle], isWanted: true))
    _ = policy.update(.make([.transientFailure, .idle]))
    let failed = policy.update(.make([.transientFailure, .transientFailure]))
    #expect(failed.state == .transientFailure)
    #expect(failed.picker.failure == "subchannel 2")
    let again = policy.update(.make([.idle, .transientFailure]))
    #expect(again.state == .transientFailure)
    #expect(again.connect.map(\.number) == [1])
    #expect(policy.update(.make([.connecting, .idle])).state == .transientFailure)
    #expect(policy.update(.make([.ready, .connecting])).picker.picked == 1)
  }

  @Test func keepsItsConnectionWhenAnEarlierAddressComesBack() {
    var policy = PickFirst()
    _ = policy.update(.make([.idle, .ready], isWanted: true))
    let both = policy.update(.make([.ready, .ready]))
    #expect(both.picker.picked == 2)
    #expect(both.release.map(\.number) == [1])
  }

  @Test func idleAfterALossUntilTheNextCall() {
    var policy = PickFirst()
    _ = policy.update(.make([.ready, .idle]))
    #expect(policy.update(.make([.idle, .idle])).state == .idle)
    #expect(policy.update(.make([.idle, .idle], isWanted: true)).connect.map(\.number) == [1])
  }

  @Test func connectsAtOnceAfterALossIfCallsWait() {
    var policy = PickFirst()
    _ = policy.update(.make([.ready, .idle]))
    let lost = policy.update(.make([.idle, .idle], isWanted: true))
    #expect(lost.state == .connecting)
  }

  @Test func failsWithoutAddresses() {
    var policy = PickFirst()
    let decision = policy.update(.make([]))
    #expect(decision.state == .transientFailure)
    #expect(decision.picker.failure == "The name has no addresses.")
  }

  @Test func newAddressesAreTriedAtOnceAfterAFailure() {
    var policy = PickFirst()
    _ = policy.update(.make([]))
    #expect(policy.update(.make([.idle, .idle])).connect.map(\.number) == [1, 2])
  }
}
