import GRPCCore
import KartAPI
import KartProcess
import SwiftProtobuf

/// What the schedule takes as a race. Each failure is INVALID_ARGUMENT and begins with the field's path.
struct RaceValidation {
  private static let maximumTextBytes = 200
  private static let maximumLaps: Int32 = 10_000
  private static let maximumDrivers = 200

  /// The path of the race in its request, such as `races[3].race`.
  let path: String

  func check(_ race: Race) throws(RPCError) {
    try checkText(race.name, "name", isRequired: true)
    try checkText(race.location, "location")
    try checkText(race.championship, "championship")
    guard race.hasStartTime else { throw invalid("start_time", "is missing") }
    try checkTime(race.startTime, "start_time")
    guard (1...Self.maximumLaps).contains(race.laps) else {
      throw invalid("laps", "is \(race.laps); a race has 1 to \(Self.maximumLaps)")
    }
    guard race.drivers.count <= Self.maximumDrivers else {
      throw invalid(
        "drivers", "has \(race.drivers.count) entries; a race has at most \(Self.maximumDrivers)")
    }
    for (index, driver) in race.drivers.enumerated() {
      try checkText(driver, "drivers[\(index)]", isRequired: true)
    }
  }

  func checkText(_ text: String, _ field: String, isRequired: Bool = false) throws(RPCError) {
    if text.isEmpty {
      guard isRequired else { return }
      throw invalid(field, "is empty")
    }
    guard text.utf8.count <= Self.maximumTextBytes else {
      throw invalid(field, "has \(text.utf8.count) bytes; it has at most \(Self.maximumTextBytes)")
    }
    guard !text.unicodeScalars.contains(where: \.steersDisplay) else {
      throw invalid(field, "has a control character")
    }
    guard text.first?.isWhitespace == false, text.last?.isWhitespace == false else {
      throw invalid(field, "begins or ends with a space")
    }
    guard !text.unicodeScalars.allSatisfy(\.showsNothing) else {
      throw invalid(field, "has no visible character")
    }
  }

  func checkTime(_ time: Google_Protobuf_Timestamp, _ field: String) throws(RPCError) {
    // As google/protobuf/timestamp.proto has it.
    guard (-62_135_596_800...253_402_300_799).contains(time.seconds),
      (0...999_999_999).contains(time.nanos)
    else {
      throw invalid(field, "is not a time between the years 1 and 9999")
    }
  }

  private func invalid(_ field: String, _ problem: String) -> RPCError {
    let path = path.isEmpty ? field : "\(path).\(field)"
    return RPCError(code: .invalidArgument, message: "\(path) \(problem)")
  }
}
