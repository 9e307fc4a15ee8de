import Foundation
import GRPCCore
import GRPCHTTP2Transport
import KartAPI
import KartTesting
import MeshTesting
import Testing

/// A gateway and two tracker services, one of which is in trouble, while races are recorded and followed.
@Suite(.wholeMachine, .timeLimit(.minutes(20))) struct TrackerTroubleTests {
  @Test(arguments: TroubledTracker.Method.allCases, TroubledReplica.Trouble.allCases)
  func isTakenOutAndLetBackIn(
    method: TroubledTracker.Method, trouble: TroubledReplica.Trouble
  ) async throws {
    let folder = TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("trackers"), withIntermediateDirectories: true)
    let league = try TroubledLeague(in: folder, troubled: method)
    defer { league.client.beginGracefulShutdown() }
    let replica = TroubledReplica()
    let source = GRPCClient.managed(
      transport: try HTTP2ClientTransport(target: "unix:\(folder.file("trackers/healthy.sock"))"))
    defer { source.beginGracefulShutdown() }
    let transport = HTTP2ServerTransport(
      listeningOn: .unixDomainSocket(path: folder.file("trackers/troubled.sock")))
    let tracker = TroubledTracker(replica: replica, troubled: method, source: source)
    try await withGRPCServer(transport: transport, services: [tracker]) { server in
      try await league.schedule()
      let end = Latch<Void>()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          let race = try league.nextRace()
          group.addTask { try await league.run(race, until: end) }
        }
        try await see(replica, in: trouble, league)
        end.close(with: ())
        try await group.waitForAll()
      }
    }
    try await league.end()
  }

  private func see(
    _ replica: TroubledReplica, in trouble: TroubledReplica.Trouble, _ league: TroubledLeague
  ) async throws {
    // Both are there, before one of them is in trouble.
    while replica.calls == 0 { try await league.begin(races: 1) }
    replica.begin(trouble)
    // Every race that begins is recorded and followed, all the time.
    try await league.begin(races: 16)
    while try await !league.troubled.ejected { try await league.begin(races: 1) }
    // While it is out it is not asked.
    var isAsked = true
    while isAsked {
      let (before, calls) = (try await league.troubled, replica.calls)
      try await league.begin(races: 8)
      let after = try await league.troubled
      isAsked =
        !before.ejected || !after.ejected || before.ejections != after.ejections
        || replica.calls != calls
    }
    replica.heal()
    while try await league.troubled.ejected {}
    let calls = replica.calls
    while replica.calls == calls { try await league.begin(races: 1) }
  }
}
