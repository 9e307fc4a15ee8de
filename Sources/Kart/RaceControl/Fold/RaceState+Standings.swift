extension RaceState {
  /// The order of the session as it stands.
  public var standings: [StandingsEntry] {
    let order = session.kind == .race ? raceOrder : bestLapOrder
    guard let first = order.first else { return [] }
    let leader = karts[first]
    var position: Int32 = 0
    return order.map { index in
      let kart = karts[index]
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

  /// What a kart's place in the order depends on, since whole records are much to move about.
  private struct Rank {
    var laps: Int32 = 0
    var time: Duration?
    var recorded: Int
    /// In `karts`.
    var index: Int
  }

  /// By laps, then by total time; ties in the order recorded.
  private var raceOrder: [Int] {
    var ranks = karts.indices.map { index in
      let last = karts[index].crossings.last
      return Rank(
        laps: last?.lap ?? 0, time: last?.totalTime, recorded: karts[index].recorded, index: index)
    }
    ranks.sort { a, b in
      if a.laps != b.laps { return a.laps > b.laps }
      switch (a.time, b.time) {
      case (let a?, let b?) where a != b: return a < b
      case (.some, nil): return true
      case (nil, .some): return false
      default: return a.recorded < b.recorded
      }
    }
    return ranks.map(\.index)
  }

  /// By best lap; ties in the order recorded. Karts without one come last, in the order entered.
  private var bestLapOrder: [Int] {
    var timed: [Rank] = []
    var untimed: [Int] = []
    for index in karts.indices {
      if let best = karts[index].best {
        timed.append(Rank(time: best.lapTime, recorded: best.recorded, index: index))
      } else {
        untimed.append(index)
      }
    }
    timed.sort { a, b in
      a.time == b.time ? a.recorded < b.recorded : a.time ?? .zero < b.time ?? .zero
    }
    return timed.map(\.index) + untimed
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
