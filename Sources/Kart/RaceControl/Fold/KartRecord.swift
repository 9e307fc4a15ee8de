/// What is known of a kart's session.
struct KartRecord: Hashable, Sendable {
  struct Best: Hashable, Sendable {
    var lap: Int32
    var lapTime: Duration
    /// When it was recorded, for ties.
    var recorded: Int
  }

  struct TimedLap: Hashable, Sendable {
    var lap: Int32
    var lapTime: Duration
  }

  let number: Int32
  private(set) var crossings = LapTimes()
  /// The laps that were quicker than all before them, so that the best one of those that a correction
  /// leaves is at hand.
  private var quickest: [TimedLap] = []
  /// When its result was last recorded, for ties.
  var recorded: Int
  var best: Best?
  /// Whether it has taken the flag: its crossings no longer count.
  var hasFinished = false
  /// The session's time at its first crossing that completed the distance.
  var distanceReachedAt: Duration?

  init(number: Int32, recorded: Int) {
    self.number = number
    self.recorded = recorded
  }

  /// Laps completed.
  var laps: Int32 { crossings.last?.lap ?? 0 }
  /// The session's time at the last crossing.
  var totalTime: Duration? { crossings.last?.totalTime }

  /// Counts a crossing after the last one.
  mutating func cross(_ crossing: LapTimes.Crossing, in kind: SessionKind, recorded: Int) {
    self.recorded = recorded
    crossings.append(crossing)
    guard let lapTime = noteLastLap(in: kind) else { return }
    if let best, best.lapTime <= lapTime { return }
    best = Best(lap: crossing.lap, lapTime: lapTime, recorded: recorded)
  }

  /// Makes `crossing` the last one, and with it the best lap one of those that are left, if the one
  /// that was is void.
  mutating func correct(_ crossing: LapTimes.Crossing, in kind: SessionKind, recorded: Int) {
    self.recorded = recorded
    crossings.end(with: crossing)
    quickest.removeSubrange(quickest.index(ofFirst: { $0.lap >= crossing.lap })...)
    _ = noteLastLap(in: kind)
    guard let best, best.lap >= crossing.lap else { return }
    self.best = quickest.last.map {
      Best(lap: $0.lap, lapTime: $0.lapTime, recorded: recorded)
    }
  }

  /// - Returns: How long the last lap took, where both its ends were seen.
  private mutating func noteLastLap(in kind: SessionKind) -> Duration? {
    guard let end = crossings.last, let lapTime = lapTime(endingWith: end, in: kind) else {
      return nil
    }
    if quickest.last.map({ lapTime < $0.lapTime }) ?? true {
      quickest.append(TimedLap(lap: end.lap, lapTime: lapTime))
    }
    return lapTime
  }

  /// A race is timed from its start, so that its first lap begins at 0 if the start crossing was not
  /// seen.
  private func lapTime(endingWith end: LapTimes.Crossing, in kind: SessionKind) -> Duration? {
    guard end.lap > 0 else { return nil }
    let begin = crossings[end.lap - 1] ?? (end.lap == 1 && kind == .race ? .zero : nil)
    guard let begin, begin < end.totalTime else { return nil }
    return end.totalTime - begin
  }
}
