import GRPCCore
import GRPCInProcessTransport
import KartTesting
import Testing

@testable import Gateway

@Suite struct RecordableRacesTests {
  @Test func aRaceIsAdmittedByTheBytesOfItsName() async throws {
    let transport = InProcessTransport(clock: ManualClock())
    let schedule = ScriptedSchedule(race: "Caf\u{e9} Cup")
    try await withGRPCServer(transport: transport.server, services: [schedule]) { server in
      defer { server.beginGracefulShutdown() }
      try await withGRPCClient(transport: transport.client) { client in
        let races = RecordableRaces(ScheduledRaces(client: client))
        try await races.admit(schedule.race)
        let error = await #expect(throws: RPCError.self) {
          try await races.admit("Cafe\u{301} Cup")
        }
        #expect(error?.code == .notFound)
      }
    }
  }
}
