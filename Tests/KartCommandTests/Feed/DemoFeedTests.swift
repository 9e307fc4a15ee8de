import GRPCCore
import KartAPI
import KartProcess
import KartTesting
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
}
