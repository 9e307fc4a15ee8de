extension RaceState {
  /// No kart laps a course in less: two reads of a double loop are one crossing.
  static let shortestLap = Duration.seconds(1)

  /// Counts a crossing.
  ///
  /// - Returns: Whether it counts: not when the lap was counted before, when the last crossing was
  ///   less than ``shortestLap`` earlier, or when the kart has taken the flag.
  mutating func apply(_ crossing: Observation.LapCrossing) -> Bool {
    guard Self.isPossible(crossing.lap, crossing.totalTime),
      let index = indexOfKart(crossing.kartNumber)
    else { return false }
    guard !karts[index].hasFinished else { return false }
    if let last = karts[index].crossings.last {
      guard crossing.lap > last.lap, crossing.totalTime >= last.totalTime + Self.shortestLap else {
        return false
      }
    }
    karts[index].cross(
      .init(lap: crossing.lap, totalTime: crossing.totalTime), in: session.kind,
      recorded: nextRecording())
    takeFlag(index, at: crossing.totalTime)
    return true
  }

  /// Sets a kart's result.
  mutating func apply(_ correction: Observation.Correction) -> Bool {
    guard Self.isPossible(correction.laps, correction.totalTime),
      let index = indexOfKart(correction.kartNumber)
    else { return false }
    karts[index].correct(
      .init(lap: correction.laps, totalTime: correction.totalTime), in: session.kind,
      recorded: nextRecording())
    reconsiderDistance(of: index)
    return true
  }

  /// Sets a kart's best lap, as the timing system knows it.
  mutating func apply(_ best: Observation.BestLap) -> Bool {
    guard best.lap > 0, best.lapTime > .zero, Self.isPossible(best.lap, best.lapTime),
      let index = indexOfKart(best.kartNumber)
    else { return false }
    if let known = karts[index].best, known.lap == best.lap, known.lapTime == best.lapTime {
      return false
    }
    karts[index].best = .init(lap: best.lap, lapTime: best.lapTime, recorded: nextRecording())
    return true
  }

  private static func isPossible(_ laps: Int32, _ time: Duration) -> Bool {
    (0...RaceLimits.laps).contains(laps) && RaceLimits.times.contains(time)
  }
}
