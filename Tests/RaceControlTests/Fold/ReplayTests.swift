import KartTesting
import RaceControl
import Testing

/// A race's events are a pure function of its log.
@Suite struct ReplayTests {
  /// A log of every kind of observation, sense and nonsense, the same for a seed.
  private func log(seed: UInt64, batches: Int) -> [Batch] {
    var random = SeededGenerator(seed: seed)
    var laps = [Int32: (lap: Int32, total: Double)]()
    return (0..<batches).map { number in
      let kinds = (0..<Int.random(in: 0...6, using: &random)).map { _ -> Observation.Kind in
        let kart = Int32.random(in: 1...6, using: &random)
        switch Int.random(in: 0..<40, using: &random) {
        case 0: return .start([.race, .practice].randomElement(using: &random)!, laps: 9)
        case 1: return .sessionClear
        case 2: return .show([.green, .finish, nil].randomElement(using: &random)!)
        case 3: return .correct(kart, laps: .random(in: -1...5, using: &random), 100)
        case 4: return .best(kart, lap: 2, .random(in: 30...40, using: &random))
        case 5: return .enter(kart)
        case 6...15:
          let (lap, total) = laps[kart, default: (-1, 0)]
          laps[kart] = (lap + 1, total + .random(in: 0...40, using: &random))
          return .cross(kart, lap: lap + 1, laps[kart]!.total)
        default:
          return .locate(kart, 50 + .random(in: 0...0.001, using: &random), 8)
        }
      }
      return Batch(
        kinds.map {
          Observation(observedAt: .init(seconds: Int64(number)), kind: $0)
        })
    }
  }

  @Test(arguments: 1...20)
  func `folding twice gives the same events, without a gap in their numbers`(seed: UInt64) {
    let log = log(seed: seed, batches: 400)
    var first = RaceState()
    var second = RaceState()
    let events = log.flatMap { first.apply($0) }
    #expect(events == log.flatMap { second.apply($0) })
    #expect(events.map(\.number) == (0..<UInt64(events.count)).map { $0 + 1 })
  }

  @Test(arguments: 1...20)
  func `folding in pieces is folding in one go`(seed: UInt64) {
    let log = log(seed: seed, batches: 400)
    var whole = RaceState()
    let events = log.flatMap { whole.apply($0) }

    var random = SeededGenerator(seed: seed)
    var state = RaceState()
    var pieces: [RaceEvent] = []
    var rest = log[...]
    while !rest.isEmpty {
      let piece = rest.prefix(.random(in: 1...60, using: &random))
      var copy = state
      // What one copy folds does not show in another.
      _ = state.apply(.of(.start(), .cross(99, lap: 3, 10)))
      pieces += piece.flatMap { copy.apply($0) }
      state = copy
      rest = rest.dropFirst(piece.count)
    }
    #expect(pieces == events)
    #expect(state.standings == whole.standings)
    #expect(state.newestLocations == whole.newestLocations)
  }

  @Test(arguments: 1...20)
  func `a fold may begin at any session start`(seed: UInt64) {
    let log = log(seed: seed, batches: 400)
    var whole = RaceState()
    var starts: [(index: Int, number: UInt64)] = []
    var events: [RaceEvent] = []
    for (index, batch) in log.enumerated() {
      if batch.startsSession { starts.append((index, whole.lastEventNumber)) }
      events += whole.apply(batch)
    }
    #expect(starts.count > 3)
    for start in starts {
      var state = RaceState(after: start.number)
      let later = log[start.index...].flatMap { state.apply($0) }
      #expect(later == events.filter { $0.number > start.number })
      #expect(state.newestStandings == whole.newestStandings)
      #expect(state.newestLocations == whole.newestLocations)
    }
  }
}
