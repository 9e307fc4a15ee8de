import RaceControl
import Testing

/// Practice and qualifying.
@Suite struct BestLapStandingsTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var seen: [Observation.Kind]
    var order: [StandingsEntry]

    init(_ testDescription: String, seen: [Observation.Kind], order: [StandingsEntry]) {
      self.testDescription = testDescription
      self.seen = seen
      self.order = order
    }
  }

  /// Of 40, 38, 39 and 37 seconds.
  static let fourLaps: [Observation.Kind] = [
    .cross(1, lap: 0, 10), .cross(1, lap: 1, 50), .cross(1, lap: 2, 88), .cross(1, lap: 3, 127),
    .cross(1, lap: 4, 164),
  ]

  @Test(
    arguments: [SessionKind.practice, .qualifying],
    [
      Case(
        "the best lap decides, however many laps",
        seen: [
          .cross(1, lap: 0, 10), .cross(1, lap: 1, 50), .cross(1, lap: 2, 90),
          .cross(2, lap: 0, 12), .cross(2, lap: 1, 51.5),
        ],
        order: [.init(1, kart: 2, lap: 1), .init(2, kart: 1, lap: 2, gap: 0.5)]),
      Case(
        "a slower lap changes nothing",
        seen: [
          .cross(1, lap: 0, 10), .cross(1, lap: 1, 50), .cross(2, lap: 0, 12),
          .cross(2, lap: 1, 52.5), .cross(1, lap: 2, 95),
        ],
        order: [.init(1, kart: 1, lap: 2), .init(2, kart: 2, lap: 1, gap: 0.5)]),
      Case(
        "ties stay in the order recorded",
        seen: [.best(2, lap: 3, 40), .best(1, lap: 1, 40), .best(3, lap: 1, 39)],
        order: [
          .init(1, kart: 3, lap: 0), .init(2, kart: 2, lap: 0, gap: 1),
          .init(3, kart: 1, lap: 0, gap: 1),
        ]),
      Case(
        "no lap yet: no gap, last, in the order entered",
        seen: [.enter(8), .enter(4), .cross(8, lap: 0, 10), .best(1, lap: 1, 40)],
        order: [.init(1, kart: 1, lap: 0), .init(2, kart: 8, lap: 0), .init(3, kart: 4, lap: 0)]),
      Case(
        "the out-lap is no lap time",
        seen: [.cross(1, lap: 1, 30), .best(2, lap: 1, 45)],
        order: [.init(1, kart: 2, lap: 0), .init(2, kart: 1, lap: 1)]),
      Case(
        "the timing system's word on the best lap counts, slower too",
        seen: [
          .cross(1, lap: 0, 10), .cross(1, lap: 1, 50), .best(1, lap: 1, 42), .best(2, lap: 1, 41),
        ],
        order: [.init(1, kart: 2, lap: 0), .init(2, kart: 1, lap: 1, gap: 1)]),
      Case(
        "a correction takes the best lap with it",
        seen: [
          .cross(1, lap: 0, 10), .cross(1, lap: 1, 52), .cross(1, lap: 2, 92),
          .best(2, lap: 1, 41), .correct(1, laps: 1, 52),
        ],
        order: [.init(1, kart: 2, lap: 0), .init(2, kart: 1, lap: 1, gap: 1)]),
      Case(
        "a correction leaves the best of the laps before it",
        seen: fourLaps + [.correct(1, laps: 3, 127), .best(2, lap: 1, 39)],
        order: [.init(1, kart: 1, lap: 3), .init(2, kart: 2, lap: 0, gap: 1)]),
      Case(
        "and so does another, further back",
        seen: fourLaps + [
          .correct(1, laps: 3, 127), .correct(1, laps: 1, 50), .best(2, lap: 1, 39),
        ],
        order: [.init(1, kart: 2, lap: 0), .init(2, kart: 1, lap: 1, gap: 1)]),
      Case(
        "laps that were void count for nothing when others take their places",
        seen: fourLaps + [
          .correct(1, laps: 1, 50), .cross(1, lap: 2, 95), .cross(1, lap: 3, 134),
          .correct(1, laps: 2, 95), .best(2, lap: 1, 39.5),
        ],
        order: [.init(1, kart: 2, lap: 0), .init(2, kart: 1, lap: 2, gap: 0.5)]),
      Case(
        "a correction can make the best lap better",
        seen: fourLaps + [.correct(1, laps: 4, 163), .best(2, lap: 1, 37)],
        order: [.init(1, kart: 1, lap: 4), .init(2, kart: 2, lap: 0, gap: 1)]),
    ])
  func order(kind: SessionKind, test: Case) {
    var state = RaceState()
    _ = state.apply(.of(.start(kind)))
    for kind in test.seen { _ = state.apply(.of(kind)) }
    #expect(state.standings == test.order)
  }

  @Test func `a race does not look at best laps`() {
    var state = RaceState()
    _ = state.apply(.of(.start(), .cross(1, lap: 1, 40), .cross(2, lap: 1, 41)))
    #expect(state.apply(.of(.best(2, lap: 1, 20))).isEmpty)
    #expect(state.standings.map(\.kartNumber) == [1, 2])
  }
}
