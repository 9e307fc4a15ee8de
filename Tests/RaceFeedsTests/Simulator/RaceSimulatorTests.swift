import RaceControl
import Testing

@testable import RaceFeeds

@Suite struct RaceSimulatorTests {
  static let start = UTCInstant(seconds: 1_780_000_000)

  /// A session from its start to the tick before the next one's.
  private func session(
    _ race: DemoRace, seed: UInt64
  ) -> [(batch: Batch, at: UTCInstant)] {
    var simulator = race.simulator(seed: seed, start: Self.start)
    var ticks = [simulator.next()]
    while case let tick = simulator.next(), !tick.batch.startsSession { ticks.append(tick) }
    return ticks
  }

  static let seeds: [UInt64] = [1, 2, 3]

  @Test(arguments: DemoRace.all, seeds)
  func `a race is driven to its end, by the rules`(race: DemoRace, seed: UInt64) throws {
    let ticks = session(race, seed: seed)
    var state = RaceState()
    let events = ticks.flatMap { state.apply($0.batch) }
    let standings = state.standings
    #expect(standings.count == 8)
    #expect(Set(standings.map(\.kartNumber)) == Set(1...8))
    #expect(standings.first?.lap == race.laps)
    #expect(standings.allSatisfy { $0.lap >= race.laps - 1 })
    #expect(state.flag == .finish)
    #expect(state.session == .init(kind: .race, laps: race.laps))
    // A locations event a tick, and standings whenever they change.
    let locations = events.count { if case .locations = $0.content { true } else { false } }
    #expect(locations == ticks.count)
    #expect(events.count > ticks.count + 4 * Int(race.laps))
  }

  @Test(arguments: DemoRace.all, seeds)
  func `karts overtake`(race: DemoRace, seed: UInt64) {
    var state = RaceState()
    var orders: [[Int32]] = []
    for tick in session(race, seed: seed) where !state.apply(tick.batch).isEmpty {
      let entries = state.standings
      // Whenever all have completed the same laps.
      guard let lap = entries.first?.lap, lap > 0, entries.allSatisfy({ $0.lap == lap }) else {
        continue
      }
      let order = entries.map(\.kartNumber)
      if orders.last != order { orders.append(order) }
    }
    #expect(orders.count >= 3)
  }

  @Test(arguments: DemoRace.all)
  func `crossings are where the course's line is, and when`(race: DemoRace) throws {
    var places: [Int32: (coordinate: Coordinate, at: UTCInstant)] = [:]
    var laps: [Int32: Int32] = [:]
    var green: UTCInstant?
    for tick in session(race, seed: 7) {
      for observation in tick.batch.observations {
        switch observation.kind {
        case .flag(let change) where change.flag == .green: green = observation.observedAt
        case .location(let location):
          places[location.kartNumber] = (location.coordinate, observation.observedAt)
        case .crossing(let crossing):
          #expect(crossing.lap == laps[crossing.kartNumber, default: -1] + 1)
          laps[crossing.kartNumber] = crossing.lap
          let (coordinate, at) = try #require(places[crossing.kartNumber])
          let age = at.duration(to: observation.observedAt)
          #expect(age >= .zero && age <= RaceSimulator.tick)
          #expect(coordinate.distance(to: race.course.points[0]) < 6)
          let total = try #require(green).duration(to: observation.observedAt)
          #expect(total - crossing.totalTime < .milliseconds(1))
        default: break
        }
      }
    }
    #expect(laps.count == 8)
  }

  @Test(arguments: DemoRace.all)
  func `karts slow down for curves and never leave the course`(race: DemoRace) throws {
    var last: [Int32: Coordinate] = [:]
    var inCurves: [Double] = []
    var onStraights: [Double] = []
    for tick in session(race, seed: 3).dropFirst(300).prefix(1500) {
      for case .location(let location) in tick.batch.observations.map(\.kind) {
        let projection = race.course.projection(of: location.coordinate)
        #expect(abs(projection.offset) < 4)
        if let before = last[location.kartNumber] {
          let speed = before.distance(to: location.coordinate) * 10
          #expect(speed < 28)
          let curvature = abs(race.course.curvature(at: projection.distance))
          if curvature > 0.011 { inCurves.append(speed) }
          if curvature < 0.004 { onStraights.append(speed) }
        }
        last[location.kartNumber] = location.coordinate
      }
    }
    // Apple Park is one long curve.
    guard race.course.name == Course.infiniteLoop.name else { return }
    let slow = inCurves.reduce(0, +) / Double(inCurves.count)
    let fast = onStraights.reduce(0, +) / Double(onStraights.count)
    #expect(slow < 0.9 * fast)
  }

  @Test func `the same seed gives the same race, another another`() {
    let first = session(.finiteLoops, seed: 11).map(\.batch)
    #expect(first == session(.finiteLoops, seed: 11).map(\.batch))
    #expect(first != session(.finiteLoops, seed: 12).map(\.batch))
  }

  /// Pins the generator and the arithmetic: a change here changes every recorded demo.
  @Test func `a seed's numbers are known`() {
    var random = SplitMix64(seed: 1_234_567)
    #expect(random.next() == 6_457_827_717_110_365_317)
    #expect(random.next() == 3_203_168_211_198_807_973)
    for _ in 0..<1000 {
      let value = random.nextSigned()
      #expect(value >= -1 && value < 1)
    }
  }

  @Test func `sessions follow each other for ever, ten ticks a second`() {
    var simulator = RaceSimulator(
      .init(
        course: .infiniteLoop, laps: 1, drivers: ["Ada", "Bob"], seed: 1, start: Self.start,
        countdown: .seconds(1), pause: .seconds(2)))
    var state = RaceState()
    var starts: [Int] = []
    var winners: [Int32?] = []
    for number in 0..<4000 {
      let (batch, at) = simulator.next()
      #expect(at == Self.start.advanced(by: .milliseconds(100 * number)))
      if batch.startsSession {
        starts.append(number)
        if number > 0 { winners.append(state.standings.first?.kartNumber) }
      }
      _ = state.apply(batch)
    }
    #expect(starts.first == 0)
    #expect(starts.count >= 4)
    #expect(winners.allSatisfy { $0 != nil })
  }
}
