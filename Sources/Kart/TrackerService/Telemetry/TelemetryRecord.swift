import GRPCCore
import KartAPI
import RaceControl

/// A `RecordRequest` that is right in every field.
struct TelemetryRecord: Sendable {
  // A batch is folded in one go, so it may not be so large that a loop stands still for it.
  private static let maximumObservations = 10_000
  private static let maximumNameLength = 200

  var race: String
  var producer: String
  var number: UInt64
  var batch: Batch

  /// - Throws: INVALID_ARGUMENT that names the field.
  init(_ request: Swiftkart_Telemetry_V1_RecordRequest) throws(RPCError) {
    try TelemetryRecord.checkName(request.raceName, field: "race_name")
    try TelemetryRecord.checkName(request.producerID, field: "producer_id")
    guard request.number > 0 else {
      throw .invalidArgument("number is 0; batches count from 1")
    }
    guard request.observations.count <= TelemetryRecord.maximumObservations else {
      throw .invalidArgument(
        "observations has \(request.observations.count) entries; a batch has at most "
          + "\(TelemetryRecord.maximumObservations)")
    }
    race = request.raceName
    producer = request.producerID
    number = request.number
    batch = try Batch(request)
    try batch.checkLimits()
  }

  static func checkName(_ name: String, field: String) throws(RPCError) {
    guard !name.isEmpty else { throw .invalidArgument("\(field) is empty") }
    guard name.utf8.count <= maximumNameLength else {
      throw .invalidArgument(
        "\(field) has \(name.utf8.count) bytes; it has at most \(maximumNameLength)")
    }
  }
}

extension RPCError {
  static func invalidArgument(_ message: String) -> RPCError {
    RPCError(code: .invalidArgument, message: message)
  }
}
