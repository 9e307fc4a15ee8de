import Foundation
import GRPCCore
import GRPCHTTP2Transport
import KartAPI
import KartTesting
import MeshTesting
import Testing

/// A gateway and two schedule services, one of which is in trouble.
@Suite(.wholeMachine, .timeLimit(.minutes(20))) struct ReplicaTroubleTests {
  @Test(arguments: TroubledReplica.Trouble.allCases)
  func isTakenOutAndLetBackIn(trouble: TroubledReplica.Trouble) async throws {
    let folder = TemporaryFolder()
    for name in ["schedules", "trackers"] {
      try FileManager.default.createDirectory(
        atPath: folder.file(name), withIntermediateDirectories: true)
    }
    let healthy = try RunningProcess(
      try Installation.executable("schedule-service"),
      [
        "--listen", "unix:\(folder.file("schedules/healthy.sock"))", "--database",
        folder.file("schedule.sqlite"),
      ])
    let port = try Mesh.freePort()
    let gateway = try RunningProcess(
      try Installation.executable("gateway"),
      [
        "--listen", "ipv4:127.0.0.1:\(port)", "--schedule",
        "unix-dir:\(folder.file("schedules"))", "--trackers",
        "unix-dir:\(folder.file("trackers"))",
      ])
    let replica = TroubledReplica()
    let transport = HTTP2ServerTransport(
      listeningOn: .unixDomainSocket(path: folder.file("schedules/troubled.sock")))
    try await withGRPCServer(transport: transport, services: [TroubledSchedule(replica: replica)]) {
      server in
      var configuration = HTTP2ClientTransport.Configuration.defaults
      configuration.backoff = ConnectionBackoff(
        initial: .milliseconds(20), maximum: .milliseconds(100))
      let client = GRPCClient.managed(
        transport: try HTTP2ClientTransport(
          target: "ipv4:127.0.0.1:\(port)", configuration: configuration))
      defer { client.beginGracefulShutdown() }
      let races = SwiftKartService.Client(wrapping: client)
      var options = CallOptions.defaults
      options.waitForReady = true

      // Both are there, before one of them is in trouble.
      while try await !races.listRaces(.init(), options: options).races.isEmpty
        || replica.calls == 0
      {}
      replica.begin(trouble)

      // Every call is answered, all the time; after a while the one in trouble is not asked any more.
      var unasked = 0
      var calls = replica.calls
      let before = calls
      while unasked < 100 || replica.calls == before {
        _ = try await races.listRaces(.init(), options: options)
        unasked = replica.calls == calls ? unasked + 1 : 0
        calls = replica.calls
      }
      replica.heal()
      while replica.calls < calls + 20 {
        _ = try await races.listRaces(.init(), options: options)
      }
    }
    for process in [healthy, gateway] {
      process.send(signal: SIGTERM)
      #expect(try await process.exit == .status(0), "\(process.transcript)")
    }
  }
}
