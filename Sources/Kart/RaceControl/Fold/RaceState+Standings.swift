extension RaceState {
  /// The order of the session as it stands.
  public var standings: [StandingsEntry] {
    let order = session.kind == .race ? karts.sorted(by: Self.raceOrder) : bestLapOrder
    guard let leader = order.first else { return [] }
    var position: Int32 = 0
    return order.map { kart in
      position += 1
      let gap =
        if position == 1 {
          Duration?.none
        } else if session.kind == .race {
          Self.raceGap(of: kart, to: leader)
        } else {
          Self.bestLapGap(of: kart, to: leader)
        }
      return StandingsEntry(
        kartNumber: kart.number, position: position, lap: kart.laps, gapToLeader: gap)
    }
  }

  /// By laps, then by total time; ties in the order recorded.
  private static func raceOrder(_ a: KartRecord, _ b: KartRecord) -> Bool {
    if a.laps != b.laps { return a.laps > b.laps }
    switch (a.totalTime, b.totalTime) {
    case (let a?, let b?) where a != b: return a < b
    case (.some, nil): return true
    case (nil, .some): return false
    default: return a.recorded < b.recorded
    }
  }

  /// By best lap; ties in the order recorded. Karts without one come last, in the order entered.
  private var bestLapOrder: [KartRecord] {
    let timed = karts.compactMap { kart in kart.best.map { (kart, $0) } }
      .sorted { a, b in
        (a.1.lapTime, a.1.recorded) < (b.1.lapTime, b.1.recorded)
      }
    return timed.map(\.0) + karts.filter { $0.best == nil }
  }

  /// How much later than the leader the kart completed its last lap.
  ///
  /// Comparing the same lap is what keeps a gap still when the leader crosses the line.
  private static func raceGap(of kart: KartRecord, to leader: KartRecord) -> Duration? {
    guard let last = kart.crossings.last, last.lap > 0 else { return nil }
    // Lapped: two laps behind, or the leader was a lap further when the kart crossed the line.
    guard Int(leader.laps) - Int(last.lap) <= 1 else { return nil }
    if leader.laps > last.lap, let next = leader.crossings[leader.laps], next <= last.totalTime {
      return nil
    }
    guard let leaderTime = leader.crossings[last.lap] else { return nil }
    // A kart that led the lap and was passed since is not ahead of the leader.
    return max(last.totalTime - leaderTime, .zero)
  }

  /// How much slower than the leader's the kart's best lap was.
  private static func bestLapGap(of kart: KartRecord, to leader: KartRecord) -> Duration? {
    guard let best = kart.best, let fastest = leader.best else { return nil }
    return best.lapTime - fastest.lapTime
  }
}
