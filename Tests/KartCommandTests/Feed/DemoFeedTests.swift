import GRPCCore
import KartAPI
import KartProcess
import KartTesting
import RaceControl
import Synchronization
import Testing

@testable import KartCommand

@Suite struct DemoFeedTests {
  /// Has one of the demo's races, and takes no other.
  private struct HalfASchedule: RegistrableRPCService {
    typealias Service = Swiftkart_Schedule_V1_RaceScheduleService

    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
      router.registerUnaryHandler(
        forMethod: Service.Method.GetRace.descriptor, deserializer: SerializedMessages(),
        serializer: SerializedMessages()
      ) { request, _ in
        let name = try Swiftkart_Schedule_V1_GetRaceRequest(serializedBytes: request.message).name
        guard name == "Finite Loops" else { throw RPCError(code: .permissionDenied, message: name) }
        return ServerResponse(message: [])
      }
    }
  }

  @Test func aRaceThatFailsEndsTheDemo() async throws {
    try await withClient(of: [HalfASchedule(), ScriptedTelemetry()]) { client in
      let demo = DemoFeed(
        feed: RaceFeed(client: client, log: Log("test", write: { _ in })), seed: 1)
      let error = await #expect(throws: RPCError.self) { try await demo.run() }
      #expect(error?.code == .permissionDenied)
    }
  }

  /// Takes its time over one race, and never answers for the other.
  private struct SlowSchedule: RegistrableRPCService {
    typealias Service = Swiftkart_Schedule_V1_RaceScheduleService

    let answer: @Sendable () -> Void

    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
      router.registerUnaryHandler(
        forMethod: Service.Method.GetRace.descriptor, deserializer: SerializedMessages(),
        serializer: SerializedMessages()
      ) { request, _ in
        let name = try Swiftkart_Schedule_V1_GetRaceRequest(serializedBytes: request.message).name
        guard name == "Finite Loops" else { throw try await Latch<RPCError>().value }
        answer()
        return ServerResponse(message: [])
      }
    }
  }

  @Test func kartsAreSeenWhenTheyAreToldOf() async throws {
    let time = Mutex(UTCInstant(seconds: 1000))
    let schedule = SlowSchedule { time.withLock { $0 = $0.advanced(by: .seconds(7)) } }
    // A failure that will not pass ends the demo with its first batch.
    let telemetry = ScriptedTelemetry([.fail(.permissionDenied, afterTaking: 1)])
    try await withClient(of: [schedule, telemetry]) { client in
      let demo = DemoFeed(
        feed: RaceFeed(client: client, log: Log("test", write: { _ in })), seed: 1,
        now: { time.withLock { $0 } })
      await #expect(throws: RPCError.self) { try await demo.run() }
    }
    let seen = telemetry.batches.first?.observations.map(\.observedAt.seconds)
    #expect(Set(seen ?? []) == [1007])
  }
}
