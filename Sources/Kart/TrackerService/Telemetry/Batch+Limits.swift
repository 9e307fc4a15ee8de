import GRPCCore
import RaceControl

// A log that was written before there were limits is folded all the same: race control passes over what
// lies beyond. So they are looked at when a batch is recorded, and not when it is read.
extension Batch {
  /// Checks that the batch is one of a race that can be.
  ///
  /// - Throws: INVALID_ARGUMENT that names the field.
  func checkLimits() throws(RPCError) {
    for (index, observation) in observations.enumerated() {
      if let problem = observation.kind.problem {
        throw .invalidArgument("observations[\(index)].\(problem)")
      }
    }
    guard observations.count > RaceLimits.karts, isOverfull else { return }
    throw .invalidArgument(
      "observations tell of more than \(RaceLimits.karts) karts; a race has at most so many")
  }

  private var isOverfull: Bool {
    var karts: Set<Int32> = []
    for observation in observations {
      switch observation.kind {
      case .sessionStart, .sessionClear: karts = []
      default: if let number = observation.kind.kart?.number { karts.insert(number) }
      }
      if karts.count > RaceLimits.karts { return true }
    }
    return false
  }
}

extension Observation.Kind {
  /// The kart that this is about, and the field of the message that has its number.
  fileprivate var kart: (number: Int32, message: String)? {
    switch self {
    case .competitor(let competitor): (competitor.kartNumber, "competitor")
    case .location(let location): (location.kartNumber, "location")
    case .crossing(let crossing): (crossing.kartNumber, "crossing")
    case .correction(let correction): (correction.kartNumber, "correction")
    case .bestLap(let best): (best.kartNumber, "best_lap")
    case .sessionStart, .flag, .sessionClear: nil
    }
  }

  private var laps: (count: Int32, field: String)? {
    switch self {
    case .sessionStart(let start): (start.laps, "session_start.laps")
    case .crossing(let crossing): (crossing.lap, "crossing.lap")
    case .correction(let correction): (correction.laps, "correction.laps")
    case .bestLap(let best): (best.lap, "best_lap.lap")
    case .competitor, .location, .flag, .sessionClear: nil
    }
  }

  /// What is out of bounds: the field's path, and what is wrong with it.
  fileprivate var problem: String? {
    if let kart, !RaceLimits.kartNumbers.contains(kart.number) {
      return "\(kart.message).kart_number is \(kart.number); a kart's number is not negative"
    }
    if let laps, !(0...RaceLimits.laps).contains(laps.count) {
      return "\(laps.field) is \(laps.count); a race has 0 to \(RaceLimits.laps)"
    }
    return nil
  }
}
