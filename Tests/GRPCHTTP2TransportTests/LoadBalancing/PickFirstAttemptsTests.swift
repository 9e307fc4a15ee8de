import GRPCCore
import KartTesting
import Testing

@testable import GRPCHTTP2Transport

/// Which addresses pick_first tries, and when.
@Suite struct PickFirstAttemptsTests {
  @Test func aSlowAttemptGetsCompanyAndKeepsIt() {
    var policy = PickFirst()
    let first = policy.update(.make([.idle, .idle, .idle], isWanted: true))
    #expect(first.connect.map(\.number) == [1])
    #expect(first.wakeAt == .beginning + .milliseconds(250))
    let early = policy.update(.make([.connecting, .idle, .idle], after: .milliseconds(249)))
    #expect(early.connect.isEmpty && early.wakeAt == first.wakeAt)
    let second = policy.update(.make([.connecting, .idle, .idle], after: .milliseconds(250)))
    #expect(second.connect.map(\.number) == [2])
    #expect(second.wakeAt == .beginning + .milliseconds(500))
    let third = policy.update(.make([.connecting, .connecting, .idle], after: .milliseconds(500)))
    #expect(third.connect.map(\.number) == [3])
    #expect(third.wakeAt == nil && third.state == .connecting)
    // Whoever is first gets all, and the others are given up.
    let ready = policy.update(
      .make([.connecting, .ready, .connecting], after: .milliseconds(510)))
    #expect(ready.picker.picked == 2)
    #expect(ready.release.map(\.number) == [1, 3])
  }

  @Test func aFailureMakesTheNextAttemptAtOnce() {
    var policy = PickFirst()
    _ = policy.update(.make([.idle, .idle, .idle], isWanted: true))
    let second = policy.update(
      .make([.transientFailure, .idle, .idle], after: .milliseconds(10)))
    #expect(second.connect.map(\.number) == [2])
    #expect(second.wakeAt == .beginning + .milliseconds(260))
  }

  @Test func familiesTakeTurns() {
    var policy = PickFirst()
    let families = [6, 6, 6, 4, 4]
    var states = families.map { _ in ConnectivityState.idle }
    var order: [Int] = []
    for _ in families {
      let decision = policy.update(
        .make(states, isWanted: true) { number, endpoint in
          endpoint.addresses =
            families[number - 1] == 6
            ? [.ipv6(host: "::\(number)", port: 80)] : [.ipv4(host: "127.0.0.\(number)", port: 80)]
        })
      order += decision.connect.map(\.number)
      for id in decision.connect { states[id.number - 1] = .transientFailure }
    }
    #expect(order == [1, 4, 2, 5, 3])
  }

  @Test func clientsThatShuffleSpreadAndStay() {
    let firsts = (0..<UInt64(200)).map { seed in
      var policy = PickFirst(shufflingWith: SeededGenerator(seed: seed))
      let first = policy.update(.make([.idle, .idle, .idle], isWanted: true)).connect[0].number
      // The order stays when the resolver says the same again.
      let again = policy.update(.make([.connecting, .connecting, .connecting]))
      #expect(again.connect.isEmpty)
      return first
    }
    for number in 1...3 { #expect(firsts.count { $0 == number } > 40) }
  }
}
