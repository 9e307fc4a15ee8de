import RaceControl
import Testing

@testable import RaceFeeds

/// Captures of real feeds, where they are at hand.
@Suite(.enabled(if: Capture.areAvailable)) struct RMonitorCapturesTests {
  @Test func `the mock race ends in its order`() throws {
    let feed = RMonitorFeed(
      session: .init(kind: .race), bytes: try Capture.read("rmonitor_orbits_mock_race_6karts.txt"))
    #expect(feed.order == [[3, 8], [4, 8], [1, 8], [5, 8], [6, 7], [2, 7]])
    #expect(feed.report.problemCount == 0)
    // 2 and 6 never took the flag.
    #expect(feed.state.flag == .finish)
  }

  @Test(arguments: [
    ("rmonitor_barber_2025_race_end.log", 2), ("rmonitor_roadamerica_2025_midrace_reset.log", 0),
    ("rmonitor_roadamerica_2025_race_start.log", 0), ("rmonitor_orbits_mock_race_6karts.txt", 0),
  ])
  func `a capture runs through and ends as its last positions say`(
    name: String, problems: Int
  ) throws {
    let bytes = try Capture.read(name)
    let feed = RMonitorFeed(session: .init(kind: .race), bytes: bytes)
    #expect(feed.report.problemCount == problems, "\(feed.report.problems)")

    let last = Capture.lastResults(bytes)
    #expect(Set(feed.state.standings.map(\.kartNumber)) == Set(last.keys))
    for entry in feed.state.standings {
      #expect(entry.lap == last[entry.kartNumber]?.laps, "kart \(entry.kartNumber)")
    }
    let order = last.sorted { a, b in
      (-a.value.laps, a.value.totalTime) < (-b.value.laps, b.value.totalTime)
    }.filter { $0.value.laps > 0 }.map(\.key)
    #expect(feed.order.filter { $0[1] > 0 }.map { $0[0] } == order)
  }

  @Test func `refreshes in the middle of a race take nothing away`() throws {
    for name in [
      "rmonitor_roadamerica_2025_race_start.log", "rmonitor_roadamerica_2025_midrace_reset.log",
    ] {
      let feed = RMonitorFeed(session: .init(kind: .race), bytes: try Capture.read(name))
      var leaderLaps: Int32 = 0
      for case .standings(let entries) in feed.events.map(\.content) {
        let laps = entries.first?.lap ?? 0
        #expect(laps >= leaderLaps)
        leaderLaps = laps
      }
      #expect(feed.observed.count { if case .sessionStart = $0 { true } else { false } } == 1)
    }
  }
}
