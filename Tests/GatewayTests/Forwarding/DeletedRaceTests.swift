import GRPCCore
import GRPCInProcessTransport
import KartAPI
import KartProcess
import KartTesting
import Testing

@testable import Gateway

@Suite struct DeletedRaceTests {
  typealias Telemetry = Swiftkart_Telemetry_V1_RaceTelemetryService
  typealias Schedule = Swiftkart_Schedule_V1_RaceScheduleService

  /// A tracker that takes everything.
  private struct Tracker: Telemetry.SimpleServiceProtocol {
    func record(
      request: RPCAsyncSequence<Swiftkart_Telemetry_V1_RecordRequest, any Error>,
      context: ServerContext
    ) async throws -> Swiftkart_Telemetry_V1_RecordResponse {
      for try await _ in request {}
      return .init()
    }

    func getProgress(
      request: Swiftkart_Telemetry_V1_GetProgressRequest, context: ServerContext
    ) async throws -> Swiftkart_Telemetry_V1_GetProgressResponse { .init() }
  }

  private static func batch(_ number: UInt64) -> Swiftkart_Telemetry_V1_RecordRequest {
    .with {
      $0.raceName = "Race"
      $0.producerID = "test"
      $0.number = number
    }
  }

  @Test func aRaceThatIsDeletedIsRecordedNoLonger() async throws {
    let (schedule, trackers, front) = (
      InProcessTransport(clock: ManualClock()), InProcessTransport(clock: ManualClock()),
      InProcessTransport(clock: ManualClock())
    )
    try await withGRPCServer(transport: schedule.server, services: [ScriptedSchedule()]) { _ in
      try await withGRPCServer(transport: trackers.server, services: [Tracker()]) { _ in
        try await withGRPCClient(transport: schedule.client) { schedule in
          try await withGRPCClient(transport: trackers.client) { trackers in
            let gateway = Gateway(
              schedule: schedule, trackers: trackers, replays: trackers, telemetry: trackers,
              log: Log("test", write: { _ in }))
            try await withGRPCServer(transport: front.server, services: [gateway]) { server in
              defer { server.beginGracefulShutdown() }
              try await withGRPCClient(transport: front.client) { client in
                let producer = Telemetry.Client(wrapping: client)
                _ = try await producer.record { try await $0.write(Self.batch(1)) }
                _ = try await Schedule.Client(wrapping: client).deleteRace(
                  .with { $0.name = "Race" })
                let error = await #expect(throws: RPCError.self) {
                  _ = try await producer.record { try await $0.write(Self.batch(2)) }
                }
                #expect(error?.code == .notFound)
              }
            }
          }
        }
      }
    }
  }
}
