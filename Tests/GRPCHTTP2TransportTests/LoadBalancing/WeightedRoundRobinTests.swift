import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

@Suite struct WeightedRoundRobinTests {
  private func counts(_ picker: any SubchannelPicker, _ calls: Int) -> [Int: Int] {
    var counts: [Int: Int] = [:]
    for _ in 0..<calls { counts[picker.pick().number, default: 0] += 1 }
    return counts
  }

  /// A picker over endpoints with these weights.
  private func picker(_ weights: [Double]) -> StridePicker {
    StridePicker(
      weights.enumerated().map { index, weight in
        (.numbered(index + 1), ReportedWeight(), weight: weight)
      }, start: 12345)
  }

  @Test(
    arguments: [
      ([1, 1, 1], [1000, 1000, 1000]), ([1, 2, 3], [500, 1000, 1500]),
      ([5, 1, 0], [1667, 333, 1000]),
      ([0, 0, 0], [1000, 1000, 1000]), ([0, 9, 0], [1000, 1000, 1000]),
      ([1, 1, 1000], [94, 94, 2812]),
    ] as [([Double], [Int])])
  func callsFollowTheWeights(weights: [Double], expected: [Int]) {
    let counts = counts(picker(weights), 3000)
    for (index, expected) in expected.enumerated() {
      let count = counts[index + 1] ?? 0
      #expect(abs(count - expected) <= max(15, expected / 8), "\(weights): \(counts)")
    }
  }

  @Test func reportsBecomeWeightsAfterABlackoutAndExpire() {
    let weight = ReportedWeight()
    func now(_ seconds: Int) -> ContinuousClock.Instant { .beginning + .seconds(seconds) }
    #expect(weight.weight(now: now(0)) == 0)
    weight.report(LoadReport(cpuUtilization: 0.5, requestsPerSecond: 100), now: now(0))
    #expect(weight.weight(now: now(9)) == 0)
    #expect(weight.weight(now: now(10)) == 200)
    // Errors are load: a tenth of the requests counts as a tenth of the machine.
    weight.report(
      LoadReport(cpuUtilization: 0.4, requestsPerSecond: 100, errorsPerSecond: 10), now: now(11))
    #expect(weight.weight(now: now(12)) == 200)
    // What limits the application comes before the processor.
    weight.report(
      LoadReport(cpuUtilization: 0.1, applicationUtilization: 1, requestsPerSecond: 100),
      now: now(12))
    #expect(weight.weight(now: now(12)) == 100)
    // A report that says nothing changes nothing.
    weight.report(LoadReport(), now: now(13))
    #expect(weight.weight(now: now(13)) == 100)
    #expect(weight.weight(now: now(192)) == 0)
    weight.report(LoadReport(cpuUtilization: 1, requestsPerSecond: 50), now: now(200))
    #expect(weight.weight(now: now(201)) == 0)
    #expect(weight.weight(now: now(210)) == 50)
  }

  @Test func weightsAreComputedAnewNowAndThen() {
    var policy = WeightedRoundRobin()
    let decision = policy.update(.make([.ready, .ready]))
    #expect(decision.wakeAt == .beginning + .seconds(1))
    #expect(policy.update(.make([.ready, .connecting])).wakeAt == nil)
  }

  @Test func loadReportsAreORCAs() throws {
    let report = LoadReport(
      cpuUtilization: 0.25, applicationUtilization: 1.5, requestsPerSecond: 17.5,
      errorsPerSecond: 2)
    #expect(LoadReport(serialized: report.serialized) == report)
    var trailers: Metadata = [:]
    trailers.addLoadReport(report)
    #expect(trailers.loadReport == report)
    // Another implementation's message: cpu 0.5, mem 0.25, rps 7, a map, and what is not known yet.
    let foreign: [UInt8] =
      [0x09, 0, 0, 0, 0, 0, 0, 0xe0, 0x3f, 0x11, 0, 0, 0, 0, 0, 0, 0xd0, 0x3f, 0x18, 7]
      + [0x2a, 3, 1, 2, 3, 0xfd, 0x0f, 1, 2, 3, 4]
    #expect(
      LoadReport(serialized: foreign) == LoadReport(cpuUtilization: 0.5, requestsPerSecond: 7))
    for broken: [UInt8] in [[0x09, 1], [0x0c], [0x2a, 200, 1], [0x80]] {
      #expect(LoadReport(serialized: broken) == nil)
    }
  }

  /// A server may report what it likes.
  @Test(
    arguments: [
      ([3e-308, 3e-308], [1, 1]), ([1e308, 1e308], [1e-300, 1e-300]),
      ([.leastNonzeroMagnitude, 1e308], [1e308, .leastNonzeroMagnitude]),
      ([.greatestFiniteMagnitude, 1], [.leastNonzeroMagnitude, 1]),
    ] as [([Double], [Double])])
  func noReportIsTooLarge(requests: [Double], load: [Double]) {
    var settings = WeightedRoundRobin.Settings()
    settings.blackoutPeriod = .zero
    settings.outOfBandReportInterval = .seconds(1)
    var policy = WeightedRoundRobin(settings)
    var view = LoadBalancingView.make([.ready, .ready])
    for index in view.endpoints.indices {
      view.endpoints[index].subchannels[0].load = (
        LoadReport(applicationUtilization: load[index], requestsPerSecond: requests[index]),
        view.now
      )
    }
    let picker = policy.update(view).picker as? StridePicker
    // The heavier one is chosen nearly at once.
    #expect(picker?.weights.contains(.max) == true)
  }

  /// A58: the blackout is for each connection.
  @Test func reportsOfANewConnectionCountAfterAnotherBlackout() {
    var settings = WeightedRoundRobin.Settings()
    settings.outOfBandReportInterval = .seconds(1)
    var policy = WeightedRoundRobin(settings)
    func weights(_ states: [ConnectivityState], after seconds: Int) -> [UInt16]? {
      var view = LoadBalancingView.make(states, after: .seconds(seconds))
      for index in view.endpoints.indices where states[index] == .ready {
        let report = LoadReport(cpuUtilization: 0.5, requestsPerSecond: index == 0 ? 100 : 50)
        view.endpoints[index].subchannels[0].load = (report, view.now)
      }
      return (policy.update(view).picker as? StridePicker)?.weights
    }
    #expect(weights([.ready, .ready], after: 0) == [UInt16.max, .max])
    #expect(weights([.ready, .ready], after: 10) == [UInt16.max, .max / 2 + 1])
    #expect(weights([.connecting, .ready], after: 11) == [UInt16.max])
    #expect(weights([.ready, .ready], after: 12) == [UInt16.max, .max])
    #expect(weights([.ready, .ready], after: 21) == [UInt16.max, .max])
    #expect(weights([.ready, .ready], after: 22) == [UInt16.max, .max / 2 + 1])
  }
}
