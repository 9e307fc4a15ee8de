/// A kart's crossings of the line: the session's time at the end of each lap that was seen.
///
/// Laps may be missing where the timing missed a crossing or was joined late; lap 0 is the start.
struct LapTimes: Hashable, Sendable {
  struct Crossing: Hashable, Sendable {
    var lap: Int32
    var totalTime: Duration
  }

  /// By lap, ascending.
  private(set) var crossings: [Crossing] = []

  var last: Crossing? { crossings.last }

  /// The session's time at the end of `lap`.
  subscript(lap: Int32) -> Duration? {
    var low = 0
    var high = crossings.count
    while low < high {
      let middle = (low + high) / 2
      if crossings[middle].lap < lap { low = middle + 1 } else { high = middle }
    }
    guard low < crossings.count, crossings[low].lap == lap else { return nil }
    return crossings[low].totalTime
  }

  /// The first crossing that completed `lap` or a later one.
  func firstCrossing(completing lap: Int32) -> Crossing? {
    crossings.first { $0.lap >= lap }
  }

  /// Adds a crossing after the last.
  mutating func append(_ crossing: Crossing) {
    crossings.append(crossing)
  }

  /// Makes `crossing` the last one: those of its lap and later laps are void.
  mutating func end(with crossing: Crossing) {
    crossings.removeLast(
      crossings.count - (crossings.firstIndex { $0.lap >= crossing.lap } ?? crossings.count))
    crossings.append(crossing)
  }
}
