import RaceControl
import Testing

/// Whatever is recorded, a race stays small, and nothing overflows.
@Suite struct RaceLimitsTests {
  @Test func `a session has so many karts, and those that come later are passed over`() {
    var state = RaceState()
    let limit = Int32(RaceLimits.karts)
    _ = state.apply(.of(.start()))
    for kart in (1...limit).reversed() { _ = state.apply(.of(.enter(kart))) }
    #expect(state.standings.map(\.kartNumber) == (1...limit).reversed())
    #expect(!state.isOverfull)
    for kind: Observation.Kind in [
      .enter(limit + 1), .cross(limit + 1, lap: 1, 40), .correct(limit + 1, laps: 1, 40),
      .best(limit + 1, lap: 1, 40),
    ] {
      #expect(state.apply(.of(kind)).isEmpty, "\(kind)")
    }
    #expect(state.isOverfull)
    // Those that are known race on.
    #expect(state.apply(.of(.cross(7, lap: 1, 40))).count == 1)
    #expect(state.standings.first?.kartNumber == 7)
  }

  @Test func `so many karts are located, each still where it goes`() throws {
    var state = RaceState()
    let limit = Int32(RaceLimits.karts)
    for kart in (1...limit).reversed() { _ = state.apply(.at(1, .locate(kart, 50, 8))) }
    #expect(!state.isOverfull)
    #expect(state.apply(.at(1, .locate(limit + 1, 0, 0))).isEmpty)
    #expect(!state.isOverfull)
    #expect(state.apply(.at(1, .locate(limit + 1, 50, 8))).isEmpty)
    #expect(state.isOverfull)
    let events = state.apply(.at(2, .locate(7, 50.0001, 8)))
    guard case .locations(let karts)? = events.first?.content else {
      Issue.record("no locations")
      return
    }
    #expect(karts.map(\.kartNumber) == Array(1...limit))
    #expect(karts.filter { $0.recordedAt.seconds == 2 }.map(\.kartNumber) == [7])
  }

  @Test func `another session, or a clear, makes room`() {
    var state = RaceState()
    let limit = Int32(RaceLimits.karts)
    for kart in 0...limit { _ = state.apply(.at(1, .enter(kart), .locate(kart, 50, 8))) }
    #expect(state.isOverfull)
    _ = state.apply(.of(.sessionClear, .enter(limit)))
    #expect(state.standings.map(\.kartNumber) == [limit])
    _ = state.apply(.of(.start()))
    #expect(!state.isOverfull)
    #expect(state.apply(.at(1, .enter(1), .locate(limit, 50, 8))).count == 2)
  }

  static let extremeLaps: [Int32] = [.min, -1, RaceLimits.laps + 1, .max]
  static let extremeTimes: [Duration] = [
    .seconds(Int64.max) * 10, .seconds(Int64.min) * 10, .seconds(Int64.max), .nanoseconds(-1),
    .seconds(315_576_000_001),
  ]

  @Test(
    arguments: extremeLaps.flatMap { lap -> [Observation.Kind] in
      [.cross(1, lap: lap, 50), .correct(1, laps: lap, 50), .best(1, lap: lap, 50)]
    }
      + extremeTimes.flatMap { time -> [Observation.Kind] in
        [
          .crossing(.init(kartNumber: 1, lap: 2, totalTime: time)),
          .correction(.init(kartNumber: 1, laps: 2, totalTime: time)),
          .bestLap(.init(kartNumber: 1, lap: 2, lapTime: time)),
        ]
      }
      + [.enter(-1), .enter(.min), .cross(-1, lap: 1, 40), .locate(-1, 50, 8)]
      + [.nan, .infinity, -.infinity, .greatestFiniteMagnitude].flatMap {
        [.locate(2, $0, 8), .locate(2, 50, $0)]
      })
  func `passes over`(kind: Observation.Kind) {
    for session in [SessionKind.race, .practice] {
      var state = RaceState()
      _ = state.apply(.at(1, .start(session), .cross(1, lap: 1, 40), .locate(1, 50, 8)))
      let standings = state.standings
      #expect(state.apply(.at(2, kind)).isEmpty)
      #expect(state.standings == standings)
      #expect(state.apply(.at(3, .cross(1, lap: 2, 90))).count == 1)
    }
  }

  @Test(arguments: [
    UTCInstant(sinceEpoch: .seconds(Int64.max) * 10), .init(sinceEpoch: .seconds(Int64.min) * 10),
    .init(seconds: .max), .init(seconds: .min), .init(seconds: 253_402_300_800),
  ])
  func `a location is of a time that has a date`(instant: UTCInstant) {
    var state = RaceState()
    for instant in [UTCInstant(seconds: 0), instant] {
      for latitude in [50, 51, 52, 53] {
        _ = state.apply(
          Batch([.init(observedAt: instant, kind: .locate(1, Double(latitude), 8))]))
      }
    }
    #expect(state.lastEventNumber == 1)
  }

  @Test(arguments: [Int32.min, -1, 0, .max])
  func `a distance that no kart completes ends nothing`(laps: Int32) {
    var state = RaceState()
    _ = state.apply(
      .of(
        .start(laps: laps), .cross(1, lap: RaceLimits.laps, 50), .correct(1, laps: 3, 50),
        .show(.finish), .show(.green)))
    #expect(!state.isOver)
    #expect(state.standings == [.init(1, kart: 1, lap: 3)])
  }

  @Test func `the greatest gap is one`() {
    var state = RaceState()
    let last = Duration.seconds(315_576_000_000)
    _ = state.apply(
      .of(
        .start(), .cross(1, lap: 1, 0),
        .crossing(.init(kartNumber: 2, lap: 1, totalTime: last))))
    #expect(state.standings.map(\.gapToLeader) == [nil, last])
  }
}
