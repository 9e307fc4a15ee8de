/// A kart's crossings of the line: the session's time at the end of each lap that was seen.
///
/// Laps may be missing where the timing missed a crossing or was joined late; lap 0 is the start.
struct LapTimes: Hashable, Sendable {
  struct Crossing: Hashable, Sendable {
    var lap: Int32
    var totalTime: Duration
  }

  /// By lap, ascending.
  private var crossings: [Crossing] = []

  var last: Crossing? { crossings.last }

  /// The session's time at the end of `lap`.
  subscript(lap: Int32) -> Duration? {
    let crossing = firstCrossing(completing: lap)
    return crossing?.lap == lap ? crossing?.totalTime : nil
  }

  /// The first crossing that completed `lap` or a later one.
  func firstCrossing(completing lap: Int32) -> Crossing? {
    let index = crossings.index(ofFirst: { $0.lap >= lap })
    return index < crossings.endIndex ? crossings[index] : nil
  }

  /// Adds a crossing after the last.
  mutating func append(_ crossing: Crossing) {
    crossings.append(crossing)
  }

  /// Makes `crossing` the last one: those of its lap and later laps are void.
  mutating func end(with crossing: Crossing) {
    crossings.removeSubrange(crossings.index(ofFirst: { $0.lap >= crossing.lap })...)
    crossings.append(crossing)
  }
}
