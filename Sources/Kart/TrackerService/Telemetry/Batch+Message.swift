import GRPCCore
import KartAPI
import RaceControl
import SwiftProtobuf

extension Batch {
  /// The observations of a `RecordRequest`.
  ///
  /// - Throws: INVALID_ARGUMENT that names the field.
  init(_ request: Swiftkart_Telemetry_V1_RecordRequest) throws(RPCError) {
    var observations: [Observation] = []
    observations.reserveCapacity(request.observations.count)
    for (index, message) in request.observations.enumerated() {
      do {
        observations.append(try Observation(message))
      } catch {
        throw .invalidArgument("observations[\(index)].\(error.problem)")
      }
    }
    self.init(observations)
  }
}

/// A field that is wrong: its path, and what is wrong with it.
private struct InvalidField: Error {
  var problem: String

  init(_ problem: String) {
    self.problem = problem
  }
}

// What makes no sense in a race (a fix in the ocean, a lap that was counted before) is for race control
// to judge. Only what cannot be read is refused here, since a refused batch holds its producer up.
extension Observation {
  fileprivate init(_ message: Swiftkart_Telemetry_V1_Observation) throws(InvalidField) {
    guard message.hasObservedAt else { throw InvalidField("observed_at is missing") }
    let time = message.observedAt
    guard Int64.timestampSeconds.contains(time.seconds), Int32.timestampNanos.contains(time.nanos)
    else {
      throw InvalidField("observed_at is not a time between the years 1 and 9999")
    }
    self.init(
      observedAt: UTCInstant(seconds: time.seconds, nanoseconds: time.nanos),
      kind: try Kind(message.kind))
  }
}

extension Observation.Kind {
  fileprivate init(
    _ message: Swiftkart_Telemetry_V1_Observation.OneOf_Kind?
  ) throws(InvalidField) {
    switch message {
    case .sessionStart(let start):
      self = .sessionStart(
        .init(kind: try SessionKind(start.kind), laps: start.laps))
    case .competitor(let competitor):
      try require(competitor.hasKartNumber, "competitor.kart_number")
      self = .competitor(
        .init(
          kartNumber: competitor.kartNumber, name: competitor.name,
          registration: competitor.registration))
    case .location(let location):
      try require(location.hasKartNumber, "location.kart_number")
      try require(location.hasLatitude, "location.latitude")
      try require(location.hasLongitude, "location.longitude")
      self = .location(
        .init(
          kartNumber: location.kartNumber,
          coordinate: Coordinate(latitude: location.latitude, longitude: location.longitude)))
    case .crossing(let crossing):
      try require(crossing.hasKartNumber, "crossing.kart_number")
      try require(crossing.hasLap, "crossing.lap")
      try require(crossing.hasTotalTime, "crossing.total_time")
      self = .crossing(
        .init(
          kartNumber: crossing.kartNumber, lap: crossing.lap,
          totalTime: try Duration(crossing.totalTime, field: "crossing.total_time")))
    case .flag(let change):
      self = .flag(
        .init(
          flag: try Flag?(change.flag),
          totalTime: change.hasTotalTime
            ? try Duration(change.totalTime, field: "flag.total_time") : nil))
    case .correction(let correction):
      try require(correction.hasKartNumber, "correction.kart_number")
      try require(correction.hasLaps, "correction.laps")
      try require(correction.hasTotalTime, "correction.total_time")
      self = .correction(
        .init(
          kartNumber: correction.kartNumber, laps: correction.laps,
          totalTime: try Duration(correction.totalTime, field: "correction.total_time")))
    case .sessionClear:
      self = .sessionClear
    case .bestLap(let best):
      try require(best.hasKartNumber, "best_lap.kart_number")
      try require(best.hasLap, "best_lap.lap")
      try require(best.hasLapTime, "best_lap.lap_time")
      self = .bestLap(
        .init(
          kartNumber: best.kartNumber, lap: best.lap,
          lapTime: try Duration(best.lapTime, field: "best_lap.lap_time")))
    case nil:
      throw InvalidField("kind is missing, or one that this tracker does not know: update it")
    }
  }
}

private func require(_ isPresent: Bool, _ field: String) throws(InvalidField) {
  guard isPresent else { throw InvalidField("\(field) is missing") }
}

extension SessionKind {
  fileprivate init(_ kind: Swiftkart_Telemetry_V1_SessionKind) throws(InvalidField) {
    switch kind {
    case .race: self = .race
    case .practice: self = .practice
    case .qualifying: self = .qualifying
    case .unspecified: throw InvalidField("session_start.kind is missing")
    case .UNRECOGNIZED(let number):
      throw InvalidField("session_start.kind is \(number), which this tracker does not know")
    }
  }
}

extension Flag? {
  fileprivate init(_ flag: Swiftkart_Telemetry_V1_Flag) throws(InvalidField) {
    switch flag {
    case .unspecified: self = nil
    case .green: self = .green
    case .yellow: self = .yellow
    case .red: self = .red
    case .finish: self = .finish
    case .UNRECOGNIZED(let number):
      throw InvalidField("flag.flag is \(number), which this tracker does not know")
    }
  }
}

extension Duration {
  fileprivate init(_ message: Google_Protobuf_Duration, field: String) throws(InvalidField) {
    // What google/protobuf/duration.proto allows, both parts of one sign.
    guard message.seconds.magnitude <= 315_576_000_000,
      message.nanos.magnitude < 1_000_000_000,
      message.seconds == 0 || message.nanos == 0
        || (message.seconds < 0) == (message.nanos < 0)
    else {
      throw InvalidField("\(field) is not a length of time")
    }
    self = .seconds(message.seconds) + .nanoseconds(Int64(message.nanos))
  }
}

extension Int64 {
  /// From 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z, as google/protobuf/timestamp.proto has it.
  fileprivate static let timestampSeconds = Int64(-62_135_596_800)...253_402_300_799
}

extension Int32 {
  fileprivate static let timestampNanos = Int32(0)...999_999_999
}
