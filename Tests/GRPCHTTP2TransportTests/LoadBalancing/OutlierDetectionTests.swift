import GRPCCore
import KartTesting
import Testing

@testable import GRPCHTTP2Transport

@Suite struct OutlierDetectionTests {
  private func settings(
    _ change: (inout OutlierDetection.Settings) -> Void
  ) -> OutlierDetection.Settings {
    var settings = OutlierDetection.Settings()
    settings.maxEjectionPercent = 50
    change(&settings)
    return settings
  }

  private var byFailures: OutlierDetection.Settings {
    settings {
      var rule = OutlierDetection.Settings.FailurePercentage()
      rule.threshold = 50
      rule.minimumHosts = 3
      rule.requestVolume = 10
      $0.failurePercentage = rule
    }
  }

  private let ready = [ConnectivityState](repeating: .ready, count: 5)

  /// Has so many calls made, those of some endpoints failing.
  private func makeCalls(
    _ picker: any SubchannelPicker, _ count: Int = 500, failing: Set<Int>,
    _ code: Status.Code = .unavailable
  ) -> Set<Int> {
    var seen: Set<Int> = []
    for _ in 0..<count {
      let result = picker.pick()
      seen.insert(result.number)
      result.call(failing.contains(result.number) ? code : .ok)
    }
    return seen
  }

  @Test func whoFailsTooOftenIsOutForAWhile() {
    var policy = OutlierDetection(byFailures)
    let begin = policy.update(.make(ready))
    #expect(begin.wakeAt == .beginning + .seconds(10))
    #expect(makeCalls(begin.picker, failing: [2]) == [1, 2, 3, 4, 5])
    // Nothing happens before the interval is over.
    let early = policy.update(.make(ready, after: .seconds(9)))
    #expect(makeCalls(early.picker, failing: [2]) == [1, 2, 3, 4, 5])
    let judged = policy.update(.make(ready, after: .seconds(10)))
    #expect(judged.wakeAt == .beginning + .seconds(20))
    #expect(makeCalls(judged.picker, failing: []) == [1, 3, 4, 5])
    // Thirty seconds later it is back.
    let still = policy.update(.make(ready, after: .seconds(40)))
    #expect(makeCalls(still.picker, failing: []) == [1, 3, 4, 5])
    let back = policy.update(.make(ready, after: .seconds(50)))
    #expect(makeCalls(back.picker, failing: [2]) == [1, 2, 3, 4, 5])
    // Its second time lasts twice as long.
    _ = policy.update(.make(ready, after: .seconds(60)))
    #expect(
      makeCalls(policy.update(.make(ready, after: .seconds(100))).picker, failing: []).count == 4)
    #expect(
      makeCalls(policy.update(.make(ready, after: .seconds(130))).picker, failing: []).count == 5)
  }

  @Test func noMoreAreTakenOutThanAllowed() {
    var policy = OutlierDetection(byFailures)
    _ = makeCalls(policy.update(.make(ready)).picker, failing: [1, 2, 3, 4, 5])
    let judged = policy.update(.make(ready, after: .seconds(10)))
    // Half of five, the third begun.
    #expect(makeCalls(judged.picker, failing: []).count == 2)
  }

  @Test func theFirstMayBeTakenOutOfAFew() {
    var settings = byFailures
    settings.maxEjectionPercent = 10
    var policy = OutlierDetection(settings)
    _ = makeCalls(policy.update(.make(ready)).picker, failing: [1, 2])
    let judged = policy.update(.make(ready, after: .seconds(10)))
    #expect(makeCalls(judged.picker, failing: []).count == 4)
  }

  @Test func fewCallsOrFewEndpointsSayNothing() {
    var policy = OutlierDetection(byFailures)
    _ = makeCalls(policy.update(.make(ready)).picker, 40, failing: [2])
    let judged = policy.update(.make(ready, after: .seconds(10)))
    #expect(makeCalls(judged.picker, failing: []).count == 5)
    var small = OutlierDetection(byFailures)
    _ = makeCalls(small.update(.make([.ready, .ready])).picker, failing: [2])
    let few = small.update(.make([.ready, .ready], after: .seconds(10)))
    #expect(makeCalls(few.picker, failing: []).count == 2)
  }

  @Test func whoIsFarBelowTheOthersIsOut() {
    let settings = settings {
      var rule = OutlierDetection.Settings.SuccessRate()
      rule.stdevFactor = 1500
      rule.requestVolume = 50
      $0.successRate = rule
    }
    var policy = OutlierDetection(settings)
    _ = makeCalls(policy.update(.make(ready)).picker, failing: [4])
    let judged = policy.update(.make(ready, after: .seconds(10)))
    #expect(makeCalls(judged.picker, failing: []) == [1, 2, 3, 5])
    // When all fail alike nobody is an outlier.
    var equal = OutlierDetection(settings)
    _ = makeCalls(equal.update(.make(ready)).picker, failing: [1, 2, 3, 4, 5])
    let same = equal.update(.make(ready, after: .seconds(10)))
    #expect(makeCalls(same.picker, failing: []).count == 5)
  }

  @Test func callsThatWereTakenBackDoNotCount() {
    var policy = OutlierDetection(byFailures)
    let picker = policy.update(.make(ready)).picker
    for _ in 0..<500 { picker.pick().call(nil) }
    let judged = policy.update(.make(ready, after: .seconds(10)))
    #expect(makeCalls(judged.picker, failing: []).count == 5)
  }

  @Test func enforcementIsAMatterOfChance() {
    let outs = (0..<UInt64(200)).count { seed in
      var settings = byFailures
      settings.failurePercentage?.enforcementPercentage = 50
      var policy = OutlierDetection(settings, generator: SeededGenerator(seed: seed))
      _ = makeCalls(policy.update(.make(ready)).picker, 60, failing: [2])
      let judged = policy.update(.make(ready, after: .seconds(10)))
      return makeCalls(judged.picker, 20, failing: []).count == 4
    }
    #expect((70...130).contains(outs))
  }

  @Test func theChildsTrackersAreToldAsWell() {
    let child = LeastRequest(generator: SeededGenerator(seed: 1))
    var policy = OutlierDetection(byFailures, child: child)
    let picker = policy.update(.make([.ready, .ready])).picker
    var counts = [0, 0, 0]
    for _ in 0..<200 {
      let result = picker.pick()
      counts[result.number] += 1
      if result.number == 1 { result.tracker?.callDidStart() } else { result.call() }
    }
    // Both of the child's choices fall on the first in a quarter of the cases, and in half without its counts.
    #expect(counts[1] < 70)
  }

  @Test func withAllOutCallsFail() {
    var settings = byFailures
    settings.maxEjectionPercent = 100
    var policy = OutlierDetection(settings)
    _ = makeCalls(policy.update(.make(ready)).picker, failing: [1, 2, 3, 4, 5])
    let judged = policy.update(.make(ready, after: .seconds(10)))
    #expect(judged.state == .transientFailure)
    #expect(judged.picker.failure?.contains("taken out") == true)
  }

  /// Whoever is out is asked all the same where the others cannot be connected to, or there are none.
  @Test(
    arguments: [
      ([.ready, .transientFailure, .transientFailure], [1]),
      ([.ready, .ready, .transientFailure], [2]), ([.ready, .idle, .transientFailure], []),
      ([.ready], [1]), ([.transientFailure, .transientFailure, .transientFailure], []),
    ] as [([ConnectivityState], Set<Int>)])
  func whoIsOutIsTheLastResort(states: [ConnectivityState], served: Set<Int>) {
    var settings = byFailures
    settings.usesEjectedAsLastResort = true
    settings.failurePercentage?.minimumHosts = 1
    var policy = OutlierDetection(settings)
    let picker = policy.update(.make([.ready, .ready, .ready])).picker
    _ = makeCalls(picker, failing: [1])
    let judged = policy.update(.make([.ready, .ready, .ready], after: .seconds(10)))
    #expect(judged.ejected == [.numbered(1)])
    let later = policy.update(.make(states, after: .seconds(11)))
    #expect(Set((0..<20).compactMap { _ in later.picker.picked }) == served)
    // The others come back.
    let back = policy.update(.make([.ready, .ready, .ready], after: .seconds(12)))
    #expect(makeCalls(back.picker, failing: []) == [2, 3])
  }

  @Test(arguments: [
    (Status.Code.notFound, true), (.invalidArgument, true), (.resourceExhausted, true),
    (.unavailable, false), (.internalError, false), (.deadlineExceeded, false), (.unknown, false),
  ])
  func aRefusalMayBeAnAnswer(code: Status.Code, isAccepted: Bool) {
    for accepts in [false, true] {
      var settings = byFailures
      settings.acceptsRefusals = accepts
      var policy = OutlierDetection(settings)
      _ = makeCalls(policy.update(.make(ready)).picker, failing: [2], code)
      let judged = policy.update(.make(ready, after: .seconds(10)))
      #expect(judged.ejected.isEmpty == (accepts && isAccepted))
    }
  }

  /// What A91 has of a judgement by which two of five endpoints are found bad.
  @Test(arguments: [
    (50, 100, ["enforced": 2]), (10, 100, ["enforced": 1, "max_ejection_overflow": 1]),
    (50, 0, ["enforcement_percentage": 2]), (0, 100, [:]),
  ]) func ejectionsAreCounted(most: Int, enforcement: Int, counts: [String: Int]) {
    var settings = byFailures
    settings.maxEjectionPercent = most
    settings.failurePercentage?.enforcementPercentage = enforcement
    var policy = PriorityFailover { [settings] in OutlierDetection(settings) }
    _ = makeCalls(policy.update(.make(ready)).picker, failing: [1, 2])
    _ = policy.update(.make(ready, after: .seconds(10)))
    let prefix = "grpc.lb.outlier_detection"
    var seen: [String: Int] = [:]
    for (counter, count) in policy.counters {
      #expect(counter.labels["\(prefix).detection_method"] == "failure_percentage")
      let reason = counter.labels["\(prefix).unenforced_reason"]
      #expect(counter.name == "\(prefix).ejections_\(reason == nil ? "enforced" : "unenforced")")
      seen[reason ?? "enforced"] = count
    }
    #expect(seen == counts)
  }

  // MARK: A change of the configuration

  /// The same policy with other settings, as a changed configuration makes it.
  private func heir(
    of former: OutlierDetection, _ change: (inout OutlierDetection.Settings) -> Void = { _ in }
  ) -> OutlierDetection {
    var settings = byFailures
    change(&settings)
    var heir = OutlierDetection(settings)
    heir.inherit(from: former)
    return heir
  }

  private let noRules: (inout OutlierDetection.Settings) -> Void = { $0.failurePercentage = nil }

  @Test func whoIsOutStaysOutForAsLongAsIsSaidNow() {
    var first = OutlierDetection(byFailures)
    _ = makeCalls(first.update(.make(ready)).picker, failing: [2])
    _ = first.update(.make(ready, after: .seconds(10)))
    var second = heir(of: first) { $0.baseEjectionTime = .seconds(55) }
    let still = second.update(.make(ready, after: .seconds(10)))
    #expect(still.ejected == [.numbered(2)] && still.wakeAt == .beginning + .seconds(20))
    #expect(second.update(.make(ready, after: .seconds(60))).ejected == [.numbered(2)])
    // Others may come and go meanwhile.
    #expect(second.update(.make(Array(ready.dropLast()), after: .seconds(61))).ejected.count == 1)
    let back = second.update(.make(ready, after: .seconds(70)))
    #expect(back.ejected.isEmpty)
    // It is known for what it did.
    _ = makeCalls(back.picker, failing: [2])
    var third = heir(of: second)
    #expect(third.update(.make(ready, after: .seconds(80))).ejected == [.numbered(2)])
    #expect(third.update(.make(ready, after: .seconds(135))).ejected == [.numbered(2)])
    #expect(third.update(.make(ready, after: .seconds(145))).ejected.isEmpty)
    #expect(third.counters.values.reduce(0, +) == 2)
  }

  @Test(arguments: [(5, 6, 6), (5, 2, 5), (10, 6, 10), (60, 20, 60)])
  func anIntervalGoesOn(length: Int, change: Int, end: Int) {
    var first = OutlierDetection(byFailures)
    _ = makeCalls(first.update(.make(ready)).picker, failing: [2])
    var second = heir(of: first) { $0.interval = .seconds(length) }
    let decision = second.update(.make(ready, after: .seconds(change)))
    if change < end {
      #expect(decision.ejected.isEmpty && decision.wakeAt == .beginning + .seconds(end))
    }
    let judged = second.update(.make(ready, after: .seconds(end)))
    #expect(judged.ejected == [.numbered(2)])
    #expect(judged.wakeAt == .beginning + .seconds(end + length))
  }

  @Test func withoutRulesAllAreBackAndForgiven() {
    var first = OutlierDetection(byFailures)
    _ = makeCalls(first.update(.make(ready)).picker, failing: [2])
    #expect(first.update(.make(ready, after: .seconds(10))).ejected == [.numbered(2)])
    var second = heir(of: first, noRules)
    let idle = second.update(.make(ready, after: .seconds(11)))
    #expect(idle.ejected.isEmpty && idle.wakeAt == nil)
    #expect(makeCalls(idle.picker, failing: [2]) == [1, 2, 3, 4, 5])
    // Calls that nobody was judged by are no ones to be judged by later.
    var third = heir(of: second)
    let again = third.update(.make(ready, after: .seconds(12)))
    #expect(again.wakeAt == .beginning + .seconds(22))
    let judged = third.update(.make(ready, after: .seconds(22)))
    #expect(judged.ejected.isEmpty)
    // Its first time out counts as the first.
    _ = makeCalls(judged.picker, failing: [2])
    #expect(third.update(.make(ready, after: .seconds(32))).ejected == [.numbered(2)])
    #expect(third.update(.make(ready, after: .seconds(63))).ejected.isEmpty)
  }

  @Test func judgementsLeaveTimeForCalls() {
    var settings = byFailures
    settings.interval = .zero
    var policy = OutlierDetection(settings)
    for milliseconds in 0..<3 {
      let now = Duration.milliseconds(milliseconds)
      #expect(policy.update(.make(ready, after: now)).wakeAt == .beginning + now + .milliseconds(1))
    }
  }
}
