import RaceControl
import Testing

/// Each sentence of the rules for races, as a table.
@Suite struct RaceStandingsTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var session = Observation.SessionStart(kind: .race)
    var seen: [Observation.Kind]
    var order: [StandingsEntry]

    init(
      _ testDescription: String, laps: Int32 = 0, seen: [Observation.Kind],
      order: [StandingsEntry]
    ) {
      self.testDescription = testDescription
      self.session.laps = laps
      self.seen = seen
      self.order = order
    }
  }

  private func standings(_ test: Case) -> [StandingsEntry] {
    var state = RaceState()
    _ = state.apply(.of(.sessionStart(test.session)))
    for kind in test.seen { _ = state.apply(.of(kind)) }
    return state.standings
  }

  @Test(arguments: [
    Case(
      "laps descending, then total time at the last crossing",
      seen: [
        .cross(1, lap: 1, 40), .cross(2, lap: 1, 41), .cross(3, lap: 1, 42),
        .cross(3, lap: 2, 80), .cross(2, lap: 2, 81),
      ],
      order: [
        .init(1, kart: 3, lap: 2), .init(2, kart: 2, lap: 2, gap: 1),
        .init(3, kart: 1, lap: 1, gap: 0),
      ]),
    Case(
      "a crossing that is recorded late still counts by its time",
      seen: [.cross(1, lap: 1, 40.2), .cross(2, lap: 1, 40.1)],
      order: [.init(1, kart: 2, lap: 1), .init(2, kart: 1, lap: 1, gap: 0.1)]),
    Case(
      "ties stay in the order recorded",
      seen: [.enter(1), .enter(2), .cross(2, lap: 1, 39.105), .cross(1, lap: 1, 39.105)],
      order: [.init(1, kart: 2, lap: 1), .init(2, kart: 1, lap: 1, gap: 0)]),
    Case(
      "karts that have not begun stay in the order entered, without a gap",
      seen: [.enter(7), .enter(3), .enter(5), .cross(5, lap: 1, 50)],
      order: [.init(1, kart: 5, lap: 1), .init(2, kart: 7, lap: 0), .init(3, kart: 3, lap: 0)]),
    Case(
      "before lap 1 the start crossing counts, still without a gap",
      seen: [.enter(1), .enter(2), .enter(3), .cross(3, lap: 0, 2.1), .cross(2, lap: 0, 2.3)],
      order: [.init(1, kart: 3, lap: 0), .init(2, kart: 2, lap: 0), .init(3, kart: 1, lap: 0)]),
    Case(
      "a kart without a lap ranks behind every kart with one",
      seen: [.cross(1, lap: 0, 1), .cross(2, lap: 0, 2), .cross(2, lap: 1, 60)],
      order: [.init(1, kart: 2, lap: 1), .init(2, kart: 1, lap: 0)]),
    Case(
      "a kart that nobody entered ranks too",
      seen: [.enter(1), .cross(9, lap: 1, 40)],
      order: [.init(1, kart: 9, lap: 1), .init(2, kart: 1, lap: 0)]),
  ])
  func order(_ test: Case) {
    #expect(standings(test) == test.order)
  }

  @Test(arguments: [
    Case(
      "the gap compares crossings of the same lap",
      seen: [
        .cross(1, lap: 1, 40), .cross(2, lap: 1, 41.5), .cross(1, lap: 2, 79),
        .cross(2, lap: 2, 82.25),
      ],
      order: [.init(1, kart: 1, lap: 2), .init(2, kart: 2, lap: 2, gap: 3.25)]),
    Case(
      "the gap stays when the leader crosses the line",
      seen: [.cross(1, lap: 1, 40), .cross(2, lap: 1, 41.5), .cross(1, lap: 2, 79)],
      order: [.init(1, kart: 1, lap: 2), .init(2, kart: 2, lap: 1, gap: 1.5)]),
    Case(
      "a kart two laps behind is lapped",
      seen: [
        .cross(1, lap: 1, 40), .cross(2, lap: 1, 41), .cross(1, lap: 2, 80),
        .cross(1, lap: 3, 120),
      ],
      order: [.init(1, kart: 1, lap: 3), .init(2, kart: 2, lap: 1)]),
    Case(
      "a kart that crosses after the leader's next lap is lapped",
      seen: [.cross(1, lap: 1, 40), .cross(1, lap: 2, 80), .cross(2, lap: 1, 80.5)],
      order: [.init(1, kart: 1, lap: 2), .init(2, kart: 2, lap: 1)]),
    Case(
      "a kart that crosses just before the leader's next lap is not",
      seen: [.cross(1, lap: 1, 40), .cross(1, lap: 2, 80), .cross(2, lap: 1, 79.5)],
      order: [.init(1, kart: 1, lap: 2), .init(2, kart: 2, lap: 1, gap: 39.5)]),
    Case(
      "a lapped kart that gains its lap back has a gap again",
      seen: [
        .cross(1, lap: 1, 40), .cross(1, lap: 2, 80), .cross(2, lap: 1, 81),
        .cross(2, lap: 2, 119), .cross(1, lap: 3, 120),
      ],
      order: [.init(1, kart: 1, lap: 3), .init(2, kart: 2, lap: 2, gap: 39)]),
    Case(
      "a leader that was passed has no negative gap",
      seen: [
        .cross(1, lap: 1, 40), .cross(2, lap: 1, 40.5), .cross(2, lap: 2, 80),
      ],
      order: [.init(1, kart: 2, lap: 2), .init(2, kart: 1, lap: 1, gap: 0)]),
    Case(
      "no gap where the leader's time for the lap was not seen",
      seen: [.cross(1, lap: 17, 800), .cross(2, lap: 16, 790)],
      order: [.init(1, kart: 1, lap: 17), .init(2, kart: 2, lap: 16)]),
  ])
  func gap(_ test: Case) {
    #expect(standings(test) == test.order)
  }

  @Test(arguments: [
    Case(
      "a lap that was counted is not counted again",
      seen: [.cross(1, lap: 1, 40), .cross(1, lap: 1, 40), .cross(1, lap: 1, 45)],
      order: [.init(1, kart: 1, lap: 1)]),
    Case(
      "two reads of a double loop are one crossing",
      seen: [.cross(1, lap: 1, 40), .cross(1, lap: 2, 40.02), .cross(1, lap: 2, 80)],
      order: [.init(1, kart: 1, lap: 2)]),
    Case(
      "a later lap cannot end earlier",
      seen: [.cross(1, lap: 1, 40), .cross(1, lap: 2, 39)],
      order: [.init(1, kart: 1, lap: 1)]),
    Case(
      "a missed crossing leaves a hole and no more",
      seen: [.cross(1, lap: 1, 40), .cross(1, lap: 3, 120)],
      order: [.init(1, kart: 1, lap: 3)]),
    Case(
      "nonsense is nothing",
      seen: [
        .enter(1), .cross(1, lap: -2, 40), .cross(1, lap: 1, -40), .correct(1, laps: -1, 40),
        .correct(1, laps: 1, -1),
      ],
      order: [.init(1, kart: 1, lap: 0)]),
    Case(
      "the largest lap is no trap",
      seen: [
        .cross(1, lap: 10_000, 40), .cross(2, lap: 10_000, 41), .cross(3, lap: 1, 42),
        .cross(3, lap: .max, 43),
      ],
      order: [
        .init(1, kart: 1, lap: 10_000), .init(2, kart: 2, lap: 10_000, gap: 1),
        .init(3, kart: 3, lap: 1),
      ]),
  ])
  func crossings(_ test: Case) {
    #expect(standings(test) == test.order)
  }

  @Test(arguments: [
    Case(
      "a correction may take laps away",
      seen: [
        .cross(1, lap: 1, 40), .cross(2, lap: 1, 41), .cross(1, lap: 2, 80),
        .correct(1, laps: 1, 40),
      ],
      order: [.init(1, kart: 1, lap: 1), .init(2, kart: 2, lap: 1, gap: 1)]),
    Case(
      "laps count on from the correction",
      seen: [
        .cross(1, lap: 1, 40), .cross(1, lap: 2, 80), .correct(1, laps: 1, 40),
        .cross(1, lap: 2, 81),
      ],
      order: [.init(1, kart: 1, lap: 2)]),
    Case(
      "a time penalty moves a kart back and is in its gap",
      seen: [.cross(1, lap: 1, 40), .cross(2, lap: 1, 41), .correct(1, laps: 1, 45)],
      order: [.init(1, kart: 2, lap: 1), .init(2, kart: 1, lap: 1, gap: 4)]),
    Case(
      "a correction may add laps",
      seen: [.cross(1, lap: 1, 40), .cross(2, lap: 1, 41), .correct(2, laps: 3, 118)],
      order: [.init(1, kart: 2, lap: 3), .init(2, kart: 1, lap: 1)]),
    Case(
      "a correction to a tie is recorded last",
      seen: [.cross(1, lap: 1, 40), .cross(2, lap: 1, 41), .correct(1, laps: 1, 41)],
      order: [.init(1, kart: 2, lap: 1), .init(2, kart: 1, lap: 1, gap: 0)]),
  ])
  func corrections(_ test: Case) {
    #expect(standings(test) == test.order)
  }
}
