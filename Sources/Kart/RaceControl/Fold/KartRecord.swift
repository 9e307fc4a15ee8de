/// What is known of a kart's session.
struct KartRecord: Hashable, Sendable {
  struct Best: Hashable, Sendable {
    var lap: Int32
    var lapTime: Duration
    /// When it was recorded, for ties.
    var recorded: Int
  }

  let number: Int32
  var crossings = LapTimes()
  /// When its result was last recorded, for ties.
  var recorded: Int
  var best: Best?
  /// Whether it has taken the flag: its crossings no longer count.
  var hasFinished = false

  init(number: Int32, recorded: Int) {
    self.number = number
    self.recorded = recorded
  }

  /// Laps completed.
  var laps: Int32 { crossings.last?.lap ?? 0 }
  /// The session's time at the last crossing.
  var totalTime: Duration? { crossings.last?.totalTime }

  /// The time of `lap`, where both its ends were seen. A race is timed from its start, so that its
  /// first lap begins at 0 if the start crossing was not seen.
  func lapTime(of lap: Int32, in kind: SessionKind) -> Duration? {
    guard lap > 0, let end = crossings[lap] else { return nil }
    let begin = crossings[lap - 1] ?? (lap == 1 && kind == .race ? .zero : nil)
    guard let begin, begin < end else { return nil }
    return end - begin
  }

  /// Counts `lap` as the best if it is.
  mutating func considerBest(_ lap: Int32, in kind: SessionKind, recorded: Int) {
    guard let time = lapTime(of: lap, in: kind) else { return }
    if let best, best.lapTime <= time { return }
    best = Best(lap: lap, lapTime: time, recorded: recorded)
  }
}
