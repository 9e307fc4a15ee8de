import Foundation
import GRPCCore
import GRPCHTTP2Transport
import GRPCServices
import Glibc
import KartAPI
import KartTesting
import MeshTesting
import Testing

/// What a gateway tells of its health while the services behind it hang, die and come back.
@Suite(.wholeMachine, .timeLimit(.minutes(20))) struct GatewayHealthTests {
  private typealias Health = Grpc_Health_V1_Health
  private typealias Status = Grpc_Health_V1_HealthCheckResponse.ServingStatus

  private static let races = SwiftKartService.descriptor.fullyQualifiedService
  private static let schedule =
    Swiftkart_Schedule_V1_RaceScheduleService.descriptor.fullyQualifiedService
  private static let telemetry =
    Swiftkart_Telemetry_V1_RaceTelemetryService.descriptor.fullyQualifiedService

  /// Processes of a mesh that a test starts and ends one by one.
  private struct Processes {
    let folder: TemporaryFolder

    init() throws {
      folder = TemporaryFolder()
      try FileManager.default.createDirectory(
        atPath: folder.file("trackers"), withIntermediateDirectories: true)
    }

    func schedule() throws -> RunningProcess {
      try RunningProcess(
        try Installation.executable("schedule-service"),
        [
          "--listen", "unix:\(folder.file("schedule.sock"))", "--database",
          folder.file("schedule.sqlite"),
        ])
    }

    func trackers() throws -> [RunningProcess] {
      try (1...2).map { number in
        try RunningProcess(
          try Installation.executable("tracker-service"),
          [
            "--listen", "unix:\(folder.file("trackers/\(number).sock"))", "--database",
            folder.file("telemetry.sqlite"),
          ])
      }
    }

    func gateway(port: UInt16) throws -> RunningProcess {
      try RunningProcess(
        try Installation.executable("gateway"),
        [
          "--listen", "ipv4:127.0.0.1:\(port)", "--schedule",
          "unix:\(folder.file("schedule.sock"))", "--trackers",
          "unix-dir:\(folder.file("trackers"))",
        ])
    }
  }

  @Test func namedServicesFollowThoseBehindThem() async throws {
    let processes = try Processes()
    let port = try Mesh.freePort()
    let target = "ipv4:127.0.0.1:\(port)"
    let gateway = try processes.gateway(port: port)
    var schedule = try processes.schedule()
    var trackers = try processes.trackers()
    let client = GRPCClient.managed(transport: try HTTP2ClientTransport(target: target))
    defer { client.beginGracefulShutdown() }
    let health = Health.Client(wrapping: client)

    for service in [Self.races, Self.schedule, Self.telemetry] {
      try await watch(health, service, until: .serving)
    }

    // They still hold their connections, but answer nothing.
    for tracker in trackers { tracker.send(signal: SIGSTOP) }
    try await watch(health, Self.races, until: .notServing)
    try await watch(health, Self.telemetry, until: .notServing)
    // The schedule can still be looked at, and nobody is to end the gateway for what is amiss elsewhere.
    #expect(try await status(health, Self.schedule) == .serving)
    #expect(try await status(health, "") == .serving)
    let whole = try await kartHealth(target)
    #expect(whole.exit == .status(0) && whole.lines == ["\(target) is serving"])
    let one = try await kartHealth(target, "--service", Self.races)
    #expect(one.exit == .status(1))
    #expect(one.lines == ["kart: \(Self.races) at \(target) is not serving (NOT_SERVING)"])
    for tracker in trackers { tracker.send(signal: SIGCONT) }
    try await watch(health, Self.races, until: .serving)
    try await watch(health, Self.telemetry, until: .serving)

    for tracker in trackers { tracker.send(signal: SIGKILL) }
    try await watch(health, Self.races, until: .notServing)
    try await watch(health, Self.telemetry, until: .notServing)
    trackers = try processes.trackers()
    try await watch(health, Self.races, until: .serving)
    try await watch(health, Self.telemetry, until: .serving)

    schedule.send(signal: SIGKILL)
    try await watch(health, Self.races, until: .notServing)
    try await watch(health, Self.schedule, until: .notServing)
    #expect(try await status(health, Self.telemetry) == .serving)
    #expect(try await status(health, "") == .serving)
    schedule = try processes.schedule()
    try await watch(health, Self.races, until: .serving)
    try await watch(health, Self.schedule, until: .serving)

    for process in [gateway, schedule] + trackers {
      process.send(signal: SIGTERM)
      #expect(try await process.exit == .status(0), "\(process.transcript)")
    }
    // A line each for what went and what came back.
    try await gateway.errorOutput.end()
    let lines = gateway.errorOutput.lines
    for (upstream, count) in [("trackers", 2), ("telemetry", 2), ("schedule", 1)] {
      for event in ["upstream lost", "upstream found"] {
        let told = lines.count { $0.contains(event) && $0.contains("upstream=\(upstream) ") }
        #expect(told >= count, "\(event) of \(upstream):\n\(gateway.transcript)")
      }
    }
  }

  /// Waits until those who watch the service are told so.
  private func watch(
    _ health: Health.Client<HTTP2ClientTransport>, _ service: String, until status: Status
  ) async throws {
    var options = CallOptions.defaults
    options.waitForReady = true
    try await health.watch(.with { $0.service = service }, options: options) { response in
      for try await message in response.messages where message.status == status { return }
      Issue.record("The watch of \(service) ended.")
    }
  }

  private func status(
    _ health: Health.Client<HTTP2ClientTransport>, _ service: String
  ) async throws -> Status {
    try await health.check(.with { $0.service = service }).status
  }

  private func kartHealth(
    _ arguments: String...
  ) async throws -> (exit: RunningProcess.Exit, lines: [String]) {
    let kart = try RunningProcess(try Installation.executable("kart"), ["health"] + arguments)
    return (try await kart.exit, kart.output.lines + kart.errorOutput.lines)
  }
}
