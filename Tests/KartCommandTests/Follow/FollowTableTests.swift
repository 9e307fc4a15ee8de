import KartAPI
import Testing

@testable import KartCommand

struct FollowTableTests {
  private let start = ContinuousClock.now

  /// Kart 4 leads, 7 is 1.234 s behind, 2 is lapped and out of sight, 9 has not started.
  private var race: FollowedRace {
    var race = FollowedRace(name: "Duck Pond Dash", wantsStandings: true)
    race.connected()
    _ = race.apply(
      .with {
        $0.sequence = 41
        $0.locations.karts = [
          kart(2, 37.33, -122.01, second: 80), kart(4, 37.3349, -122.009, second: 100),
          kart(7, 37.335, -122.0095, second: 99), kart(11, 37.3, -122, second: 100),
        ]
      }, at: start)
    _ = race.apply(
      .with {
        $0.sequence = 42
        $0.standings.entries = [
          entry(3, kart: 2, lap: 2), entry(1, kart: 4, lap: 4),
          entry(2, kart: 7, lap: 4, gap: 1234), entry(4, kart: 9, lap: 0),
        ]
      }, at: start)
    return race
  }

  private func kart(
    _ number: Int32, _ latitude: Double, _ longitude: Double, second: Int64
  ) -> KartLocations.Kart {
    .with {
      $0.number = number
      $0.latitude = latitude
      $0.longitude = longitude
      $0.recordedAt.seconds = second
    }
  }

  private func entry(
    _ position: Int32, kart: Int32, lap: Int32, gap: Int64? = nil
  ) -> Standings.Entry {
    .with {
      $0.position = position
      $0.kartNumber = kart
      $0.lap = lap
      if let gap {
        $0.gapToLeader.seconds = gap / 1000
        $0.gapToLeader.nanos = Int32(gap % 1000) * 1_000_000
      }
    }
  }

  private func text(_ lines: [FollowTable.Line]) -> String {
    lines.map { line in
      switch line.style {
      case .plain: line.text.isEmpty ? "\n" : "  \(line.text)\n"
      case .heading: "# \(line.text)\n"
      case .dimmed: "- \(line.text)\n"
      }
    }.joined()
  }

  /// A terminal would break a line that is too long in two.
  @Test func cutsLinesAtTheEdgeOfTheScreen() {
    let race = FollowedRace(name: "東京カート\u{1b}[2J杯", wantsStandings: true)
    let table = FollowTable(race, at: start)
    // No half of a character is shown.
    for (width, text) in [(8, "東京カー"), (9, "東京カー"), (12, "東京カート[2"), (15, "東京カート[2J杯")] {
      #expect(table.lines(width: width, height: 1).map(\.text) == [text])
    }
  }

  @Test func showsTheLeaderboardWithPositions() {
    let lines = FollowTable(race, at: start + .milliseconds(500)).lines(width: 100, height: 24)
    #expect(
      text(lines) == """
        # Duck Pond Dash · LIVE · event 42, 0.5 s ago

        #  POS  KART   LAP         GAP    LATITUDE   LONGITUDE    SEEN
             1     4     4      leader    37.33490  -122.00900   0.5 s
             2     7     4      +1.234    37.33500  -122.00950   1.5 s
        -    3     2     2     +2 laps    37.33000  -122.01000    21 s
             4     9     0
                  11                      37.30000  -122.00000   0.5 s

        """)
  }

  @Test func showsPositionsAlone() {
    var race = FollowedRace(name: "Duck Pond Dash", wantsStandings: false)
    race.connected()
    _ = race.apply(.locations(7, latitude: 37.5, sequence: 3), at: start)
    let lines = FollowTable(race, at: start).lines(width: 100, height: 24)
    #expect(
      text(lines) == """
        # Duck Pond Dash · LIVE · event 3, 0.0 s ago

        #  KART    LATITUDE   LONGITUDE    SEEN
              7    37.50000     0.00000   0.0 s

        """)
  }

  @Test func neverShowsOldDataAsLive() {
    var race = race
    let stale = FollowTable(race, at: start + .seconds(130)).lines(width: 100, height: 24)
    #expect(
      stale[0].text == "Duck Pond Dash · STALE: nothing new for 2 min · event 42, 2 min ago")
    #expect(stale.dropFirst(3).allSatisfy { $0.style == .dimmed })
    race.disconnected(reason: "UNAVAILABLE: refused", retryAt: start + .seconds(3))
    let broken = FollowTable(race, at: start + .seconds(2)).lines(width: 100, height: 24)
    #expect(
      broken[0].text
        == "Duck Pond Dash · RECONNECTING in 1.0 s (UNAVAILABLE: refused) · event 42, 2.0 s ago")
    #expect(broken.dropFirst(3).allSatisfy { $0.style == .dimmed })
  }

  @Test func tellsWhatIsMissing() {
    var race = race
    _ = race.apply(.locations(7, latitude: 37.5, sequence: 45), at: start)
    let lines = FollowTable(race, at: start).lines(width: 100, height: 24)
    #expect(lines[0].text.hasSuffix(" · 2 events missed"))
  }

  @Test func waitsForARaceThatHasNotBegun() {
    var race = FollowedRace(name: "Duck Pond Dash", wantsStandings: true)
    #expect(
      FollowTable(race, at: start).lines(width: 100, height: 24).first?.text
        == "Duck Pond Dash · connecting")
    race.connected()
    #expect(
      text(FollowTable(race, at: start).lines(width: 100, height: 24)) == """
        # Duck Pond Dash · waiting for the race to begin


        """)
  }

  @Test(arguments: [(20, 5), (1, 1), (100, 0)])
  func fitsTheTerminal(width: Int, height: Int) {
    let lines = FollowTable(race, at: start).lines(width: width, height: height)
    #expect(lines.count == min(height, 8))
    #expect(lines.allSatisfy { $0.text.count <= width })
  }

  @Test(
    arguments: [
      (nil, "waiting for the race to begin"),
      (
        .init(start: "2027-01-01 10:00Z", isFinished: false),
        "waiting for the race to begin (planned: 2027-01-01 10:00Z)"
      ),
      (.init(start: "", isFinished: true), "FINISHED; nothing was recorded"),
    ] as [(FollowedRace.Plan?, String)])
  func tellsWhatTheScheduleSays(plan: FollowedRace.Plan?, status: String) {
    var race = FollowedRace(name: "Race", wantsStandings: true)
    race.connected()
    race.plan = plan
    let lines = FollowTable(race, at: .now).lines(width: 100, height: 5)
    #expect(lines.first?.text == "Race · \(status)")
  }

  @Test func aFinishedRaceIsNotCalledStale() {
    var race = FollowedRace(name: "Race", wantsStandings: true)
    race.connected()
    race.plan = .init(start: "", isFinished: true)
    let start = ContinuousClock.now
    _ = race.apply(.with { $0.sequence = 7 }, at: start)
    func status(after seconds: Int) -> String? {
      FollowTable(race, at: start + .seconds(seconds)).lines(width: 100, height: 5).first?.text
    }
    #expect(status(after: 1)?.hasPrefix("Race · LIVE") == true)
    #expect(status(after: 60)?.hasPrefix("Race · FINISHED · event 7") == true)
  }
}
