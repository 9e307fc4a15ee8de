import GRPCCore
import KartAPI
import SwiftProtobuf

extension StoredRace {
  /// Checks a race, and makes it what the schedule keeps.
  ///
  /// - Parameter path: The path of the race in its request.
  /// - Throws: INVALID_ARGUMENT that names the field.
  init(_ race: Race, path: String) throws {
    try RaceValidation(path: path).check(race)
    self.init(
      name: race.name, start: Moment(race.startTime), message: try race.serializedBytes(),
      finishedAt: nil)
  }

  /// Checks a race and the time of its end.
  init(_ scheduled: Swiftkart_Schedule_V1_ScheduledRace, path: String) throws {
    guard scheduled.hasRace else {
      throw RPCError(code: .invalidArgument, message: "\(path).race is missing")
    }
    try self.init(scheduled.race, path: "\(path).race")
    guard scheduled.hasFinishedAt else { return }
    try RaceValidation(path: path).checkTime(scheduled.finishedAt, "finished_at")
    finishedAt = Moment(scheduled.finishedAt)
  }
}

extension StoredRace.Moment {
  init(_ time: Google_Protobuf_Timestamp) {
    self.init(seconds: time.seconds, nanoseconds: time.nanos)
  }
}

extension Swiftkart_Schedule_V1_ScheduledRace {
  init(_ stored: StoredRace) throws {
    self.init()
    race = try Race(serializedBytes: stored.message)
    if let finished = stored.finishedAt {
      finishedAt.seconds = finished.seconds
      finishedAt.nanos = finished.nanoseconds
    }
  }
}
