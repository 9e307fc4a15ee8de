import Testing

@testable import GRPCHTTP2Transport

/// How windows follow what a connection carries.
@Suite struct WindowProbeTests {
  private static let start = ContinuousClock.now

  /// A path that carries so many bytes a second and takes so long for a round trip, with a sender who always has
  /// something to send.
  private func window(
    after probes: Int, from: Int, ceiling: Int, bytesPerSecond: Int, roundTrip: Duration
  ) -> Int {
    var probe = WindowProbe(window: from, ceiling: ceiling)
    var now = Self.start
    for _ in 0..<probes {
      while !probe.didReceive(16_384, at: { now }) {
        probe.didProduceOutput()
        now += .seconds(1) / bytesPerSecond * 16_384
        if now > Self.start + .seconds(1000) { return probe.window }
      }
      // What is beyond the path's own share of the window waits in a queue, which takes its time.
      let carried = Int(Double(bytesPerSecond) * (roundTrip / .seconds(1)))
      _ = probe.didReceive(probe.window, at: { now })
      now += max(roundTrip, roundTrip * (Double(probe.window) / Double(carried)))
      _ = probe.didReceiveAnswer(at: now)
    }
    return probe.window
  }

  @Test func aLongPathThatCarriesMuchGetsALargeWindow() {
    // 20 MB a second at 100 ms: 2 MB are on their way.
    let window = window(
      after: 30, from: 65_536, ceiling: 16 << 20, bytesPerSecond: 20_000_000,
      roundTrip: .milliseconds(100))
    #expect((2_000_000...8_000_000).contains(window), "\(window)")
  }

  @Test func aPathThatCarriesLittleKeepsItsWindow() {
    let window = window(
      after: 30, from: 262_144, ceiling: 16 << 20, bytesPerSecond: 1_000_000,
      roundTrip: .milliseconds(20))
    #expect(window <= 600_000, "\(window)")
  }

  @Test func theCeilingIsKeptAndEndsTheProbes() {
    let now = Self.start
    var probe = WindowProbe(window: 100, ceiling: 150)
    let asks = [25, 25, 25, 100].map { count in
      defer { if count == 25 { probe.didProduceOutput() } }
      return probe.didReceive(count, at: { now })
    }
    #expect(asks == [false, true, false, false])
    let window = probe.didReceiveAnswer(at: now + .milliseconds(1))
    #expect(window == 150)
    let asksAgain = probe.didReceive(1 << 20, at: { now })
    #expect(!asksAgain)
  }

  @Test func aSenderWithLittleToSayIsAskedLessAndLess() {
    var now = Self.start
    var probe = WindowProbe(window: 4000, ceiling: 8000)
    var probes = 0
    for _ in 0..<1000 {
      now += .milliseconds(10)
      probe.didProduceOutput()
      if probe.didReceive(100, at: { now }) {
        probes += 1
        _ = probe.didReceiveAnswer(at: now + .milliseconds(1))
      }
    }
    #expect(probe.window == 4000)
    #expect((2...8).contains(probes), "\(probes)")
  }

  @Test func anAnswerToNothingIsIgnored() {
    var probe = WindowProbe(window: 4000, ceiling: 8000)
    let window = probe.didReceiveAnswer(at: Self.start)
    #expect(window == nil)
  }

  @Test func aWindowThatMayNotGrowIsNotProbed() {
    var probe = WindowProbe(window: 4000, ceiling: 4000)
    let asks = probe.didReceive(1 << 20, at: { Self.start })
    #expect(!asks)
  }
}
