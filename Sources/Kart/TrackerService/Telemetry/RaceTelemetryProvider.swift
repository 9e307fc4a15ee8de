import GRPCCore
import GRPCProtobuf
import KartAPI
import RaceRelay
import SwiftProtobuf

/// Takes telemetry into the log.
package struct RaceTelemetryProvider: RegistrableRPCService {
  private typealias Service = Swiftkart_Telemetry_V1_RaceTelemetryService

  private let log: any TelemetryLog

  package init(log: any TelemetryLog) {
    self.log = log
  }

  /// Registers the service's methods: Record with its messages as bytes, which go into the log as they are.
  package func registerMethods<Transport: ServerTransport>(
    with router: inout RPCRouter<Transport>
  ) {
    router.registerHandler(
      forMethod: Service.Method.Record.descriptor, deserializer: TelemetryBatchDeserializer(),
      serializer: ProtobufSerializer<Swiftkart_Telemetry_V1_RecordResponse>()
    ) { request, _ in
      let response = try await record(request.messages)
      return StreamingServerResponse(single: ServerResponse(message: response))
    }
    router.registerUnaryHandler(
      forMethod: Service.Method.GetProgress.descriptor,
      deserializer: ProtobufDeserializer<Swiftkart_Telemetry_V1_GetProgressRequest>(),
      serializer: ProtobufSerializer<Swiftkart_Telemetry_V1_GetProgressResponse>()
    ) { request, _ in
      ServerResponse(message: try await progress(request.message))
    }
  }

  private func record(
    _ batches: RPCAsyncSequence<TelemetryBatch, any Error>
  ) async throws -> Swiftkart_Telemetry_V1_RecordResponse {
    let appender = TelemetryAppender(log: log)
    async let durable = appender.run()
    do {
      for try await batch in batches {
        try await appender.add(batch)
      }
      await appender.finish()
    } catch {
      await appender.fail(error)
    }
    var response = Swiftkart_Telemetry_V1_RecordResponse()
    response.durableThrough = try await durable
    return response
  }

  private func progress(
    _ request: Swiftkart_Telemetry_V1_GetProgressRequest
  ) async throws -> Swiftkart_Telemetry_V1_GetProgressResponse {
    try TelemetryRecord.checkName(request.raceName, field: "race_name")
    try TelemetryRecord.checkName(request.producerID, field: "producer_id")
    var response = Swiftkart_Telemetry_V1_GetProgressResponse()
    response.durableThrough = try await log.progress(
      ofProducer: request.producerID, inRace: request.raceName)
    return response
  }
}

/// Checks a `RecordRequest`, and keeps its bytes.
private struct TelemetryBatchDeserializer: MessageDeserializer {
  func deserialize<Bytes: GRPCContiguousBytes>(
    _ serializedMessageBytes: Bytes
  ) throws -> TelemetryBatch {
    let bytes = serializedMessageBytes.withUnsafeBytes { Array($0) }
    let record = try TelemetryRecord(
      Swiftkart_Telemetry_V1_RecordRequest(serializedBytes: bytes))
    return TelemetryBatch(
      race: record.race, producer: record.producer, number: record.number, record: bytes)
  }
}
