import RaceControl
import Testing

/// Which events a batch makes.
@Suite struct RaceEventsTests {
  @Test func `events count from 1, locations first, one of each type a batch`() throws {
    var state = RaceState()
    let events = state.apply(
      .at(
        1, .start(), .enter(1), .enter(2), .cross(1, lap: 1, 40), .locate(2, 50, 8),
        .cross(2, lap: 1, 41), .locate(1, 50, 8)))
    #expect(events.map(\.number) == [1, 2])
    #expect(
      events.first?.content
        == .locations([
          .init(
            kartNumber: 1, coordinate: .init(latitude: 50, longitude: 8),
            recordedAt: .init(seconds: 1)),
          .init(
            kartNumber: 2, coordinate: .init(latitude: 50, longitude: 8),
            recordedAt: .init(seconds: 1)),
        ]))
    #expect(
      events.last?.content
        == .standings([.init(1, kart: 1, lap: 1), .init(2, kart: 2, lap: 1, gap: 1)]))
    #expect(state.newestLocations == events.first)
    #expect(state.newestStandings == events.last)
    #expect(state.lastEventNumber == 2)
  }

  @Test func `a batch that changes nothing makes no event`() {
    var state = RaceState()
    _ = state.apply(.of(.start(), .enter(1), .cross(1, lap: 1, 40)))
    for kind: Observation.Kind in [
      .cross(1, lap: 1, 40), .cross(1, lap: 2, 40.02), .enter(1), .show(.yellow),
      .locate(1, 0, 0), .correct(1, laps: 1, 40),
    ] {
      #expect(state.apply(.of(kind)).isEmpty, "\(kind)")
    }
    #expect(state.apply(Batch()).isEmpty)
    #expect(state.lastEventNumber == 1)
  }

  @Test func `an event carries every kart`() {
    var state = RaceState()
    _ = state.apply(.at(1, .locate(1, 50, 8), .locate(2, 50, 8)))
    let events = state.apply(.at(2, .locate(2, 50.0001, 8)))
    guard case .locations(let karts)? = events.first?.content else {
      Issue.record("no locations")
      return
    }
    #expect(karts.map(\.kartNumber) == [1, 2])
    #expect(karts.map(\.recordedAt.seconds) == [1, 2])
  }

  @Test func `a session start voids all before it, in its own batch too`() {
    var state = RaceState()
    _ = state.apply(.at(1, .start(), .cross(1, lap: 1, 40), .locate(1, 50, 8)))
    let events = state.apply(
      .at(2, .cross(1, lap: 2, 80), .locate(1, 50, 8), .start(.qualifying), .enter(4)))
    #expect(events.map(\.number) == [3])
    #expect(events.first?.content == .standings([.init(1, kart: 4, lap: 0)]))
    #expect(state.newestLocations == nil)
    #expect(state.session == .init(kind: .qualifying))
  }

  @Test func `a session start tells standings even if they read the same`() {
    var state = RaceState()
    #expect(state.apply(.of(.start())).map(\.number) == [1])
    #expect(state.apply(.of(.start())).map(\.number) == [2])
  }

  @Test
  func `a session clear voids results and entries, and keeps the session and the karts' places`() {
    var state = RaceState()
    _ = state.apply(
      .at(1, .start(laps: 1), .cross(1, lap: 1, 40), .show(.finish), .locate(1, 50, 8)))
    let events = state.apply(.at(2, .sessionClear))
    #expect(events.map(\.content) == [.standings([])])
    #expect(state.session.laps == 1)
    #expect(state.flag == nil)
    #expect(state.newestLocations?.number == 1)
    // The finish is void too.
    _ = state.apply(.of(.cross(2, lap: 0, 2), .cross(2, lap: 1, 40)))
    #expect(state.standings == [.init(1, kart: 2, lap: 1)])
  }

  @Test func `the flag that is shown is known`() {
    var state = RaceState()
    _ = state.apply(.of(.start(), .show(.green)))
    #expect(state.flag == .green)
    _ = state.apply(.of(.show(nil)))
    #expect(state.flag == nil)
  }
}
