import KartAPI
import SwiftProtobuf

/// The race and the producer that a batch is of.
struct BatchOrigin: Sendable, Hashable {
  let race: ExactName
  let producer: ExactName

  /// - Parameter batch: A serialized `RecordRequest`.
  /// - Returns: nil for what is none.
  init?(of batch: [UInt8]) {
    var options = BinaryDecodingOptions()
    options.discardUnknownFields = true
    // A GetProgressRequest has these two fields of a RecordRequest, and passes over the observations, which are
    // for a tracker to read.
    guard
      let names = try? Swiftkart_Telemetry_V1_GetProgressRequest(
        serializedBytes: batch, options: options)
    else { return nil }
    race = ExactName(names.raceName)
    producer = ExactName(names.producerID)
  }
}
