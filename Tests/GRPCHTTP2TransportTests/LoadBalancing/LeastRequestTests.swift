import GRPCCore
import KartTesting
import Testing

@testable import GRPCHTTP2Transport

@Suite struct LeastRequestTests {
  @Test func connectsToEveryEndpoint() {
    var policy = LeastRequest()
    let decision = policy.update(.make([.idle, .idle, .idle]))
    #expect(decision.state == .connecting && decision.connect.map(\.number) == [1, 2, 3])
  }

  @Test(arguments: [2, 5, 10]) func whoHasFewestCallsGetsTheNext(choices: Int) {
    var policy = LeastRequest(choiceCount: choices, generator: SeededGenerator(seed: 7))
    let picker = policy.update(.make([.ready, .ready, .ready])).picker
    var open: [Int: Int] = [:]
    for _ in 0..<3000 {
      let result = picker.pick()
      result.tracker?.callDidStart()
      open[result.number, default: 0] += 1
    }
    // Two random choices keep the difference small, where one would make it dozens.
    let counts = open.values.sorted()
    #expect(counts.count == 3)
    #expect((counts.last ?? 0) - (counts.first ?? 0) <= 8)
  }

  @Test func aSlowEndpointIsSpared() {
    var policy = LeastRequest(generator: SeededGenerator(seed: 1))
    let picker = policy.update(.make([.ready, .ready])).picker
    var counts = [0, 0, 0]
    for _ in 0..<1000 {
      let result = picker.pick()
      counts[result.number] += 1
      // The first never answers.
      if result.number == 1 { result.tracker?.callDidStart() } else { result.call() }
    }
    // Both choices fall on the first in a quarter of the cases, and without counts in half.
    #expect(counts[1] < 300)
  }

  @Test func countsOutliveAPicker() {
    var policy = LeastRequest(generator: SeededGenerator(seed: 1))
    let first = policy.update(.make([.ready, .connecting])).picker
    for _ in 0..<100 { first.pick().tracker?.callDidStart() }
    let second = policy.update(.make([.ready, .ready])).picker
    let picked = (0..<50).map { _ in
      let result = second.pick()
      result.tracker?.callDidStart()
      return result.number
    }
    // Both choices fall on the first in a quarter of the cases.
    #expect(picked.count { $0 == 2 } > 25)
  }

  @Test func randomNumbersAreBelowTheLimit() {
    let random = SharedRandom(seed: 3)
    var seen: Set<Int> = []
    for _ in 0..<1000 { seen.insert(random.next(below: 7)) }
    #expect(seen == Set(0..<7))
  }

  /// More than ten choices are ten (A48): of a hundred endpoints, of which one is free, it is rarely among them.
  @Test(arguments: [2, 10, 100]) func noMoreThanTenAreCompared(choices: Int) {
    var policy = LeastRequest(choiceCount: choices, generator: SeededGenerator(seed: 3))
    let states = [ConnectivityState](repeating: .ready, count: 100)
    let picker = policy.update(.make(states)).picker
    // All but the last have a call for good.
    var busy: Set<Int> = []
    while busy.count < 99 {
      let result = picker.pick()
      if result.number != 100, busy.insert(result.number).inserted {
        result.tracker?.callDidStart()
      }
    }
    let free = (0..<1000).count { _ in picker.pick().number == 100 }
    let expected = 10 * min(choices, 10)
    #expect((expected / 2...expected * 2).contains(free), "\(free) of 1000")
  }
}
