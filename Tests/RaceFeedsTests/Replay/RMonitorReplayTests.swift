import RaceControl
import Testing

@testable import RaceFeeds

@Suite struct RMonitorReplayTests {
  static let session = Observation.SessionStart(kind: .race)

  private func steps(
    _ text: String, _ speed: ReplaySpeed
  ) -> [RMonitorReplay.Step] {
    var replay = RMonitorReplay(
      of: text.utf8, speed: speed, session: Self.session, start: UTCInstant(seconds: 1000))
    var steps: [RMonitorReplay.Step] = []
    while let step = replay.next() { steps.append(step) }
    return steps
  }

  static let stamped = """
    ##2025-03-01 22:43:00.000
    \(Sample.entries)
    ##2025-03-01 22:43:01.000
    $F,9999,"00:05:00","12:00:00","00:00:00","Green "
    ##2025-03-01 22:43:02.000
    $F,9999,"00:05:00","12:00:01","00:00:01","Green "
    ##2025-03-01 22:43:02.500
    $J,"1","00:00:00.000","00:00:02.051"
    ##2025-03-01 22:43:02.500
    $J,"2","00:00:00.000","00:00:02.052"
    ##2025-03-02 09:00:00.000
    $J,"3","00:00:00.000","00:00:09.052"

    """

  @Test(arguments: [
    (ReplaySpeed.times(1), [0, 1000, 1500, 10_000]), (.times(10), [0, 100, 150, 1000]),
    (.max, [0, 0, 0, 0]),
  ])
  func `a capture with stamps goes by them, and waits no longer than it must`(
    speed: ReplaySpeed, delays: [Int]
  ) {
    #expect(steps(Self.stamped, speed).map(\.delay) == delays.map { .milliseconds($0) })
  }

  @Test func `batches are the same at every speed, and keep the stamps' times`() {
    let batches = steps(Self.stamped, .times(1)).map(\.batch)
    #expect(batches == steps(Self.stamped, .max).map(\.batch))
    #expect(batches.map(\.observations.count) == [4, 1, 2, 1])
    #expect(
      batches[1].observations[0].observedAt == UTCInstant(seconds: 1_740_868_981))
  }

  static let unstamped =
    Sample.entries + "\n" + """
      $F,9999,"00:05:00","23:59:58","00:00:00","Green "
      $F,9999,"00:05:00","23:59:59","00:00:01","Green "
      $F,9999,"00:05:00","00:00:00","00:00:02","Green "
      $J,"1","00:00:00.000","00:00:02.750"
      $F,9999,"00:05:00","00:00:01","00:00:03","Green "
      $J,"2","00:00:00.000","00:00:04.250"
      $F,9999,"00:05:00","00:00:02","00:00:04","Yellow"

      """

  @Test func `a capture without goes by the time of day, over midnight, and by crossings`() {
    let steps = steps(Self.unstamped, .times(1))
    #expect(steps.map(\.delay) == [0, 2750, 1500].map { .milliseconds($0) })
    #expect(
      steps.map { $0.batch.observations[0].observedAt.duration(to: UTCInstant(seconds: 1000)) }
        == [0, -2750, -4250].map { .milliseconds($0) })
  }

  @Test func `without a time of day the race time serves`() {
    let text =
      Sample.entries + "\n" + """
        $F,9999,"00:05:00","","00:00:00","Green "
        $F,9999,"00:05:00","","00:00:03","Yellow"
        """
    #expect(steps(text, .times(1)).map(\.delay) == [.zero, .seconds(3)])
  }

  @Test func `a replay reports like its reader`() {
    var replay = RMonitorReplay(
      of: (Sample.feed(Sample.entries, "oops")).utf8, speed: .max, session: Self.session,
      start: UTCInstant(seconds: 0))
    while replay.next() != nil {}
    #expect(replay.next() == nil)
    #expect(replay.report.description == "3 records, 1 problem (1 notARecord)")
  }

  @Test(arguments: [
    ("1", ReplaySpeed.times(1)), ("10", .times(10)), ("1000", .times(1000)), ("max", .max),
    ("0", nil), ("-1", nil), ("1.5", nil), ("", nil), ("fast", nil), ("1001", nil),
  ])
  func `speeds`(text: String, speed: ReplaySpeed?) {
    #expect(ReplaySpeed(text) == speed)
    if let speed { #expect(speed.description == text) }
  }
}
