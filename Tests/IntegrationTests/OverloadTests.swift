import Foundation
import GRPCCore
import GRPCHTTP2Transport
import GRPCProtobuf
import GRPCServices
import Glibc
import KartAPI
import KartTesting
import MeshTesting
import Testing

/// A gateway and a tracker service that handle one call of each kind at a time, and have it.
@Suite(.wholeMachine, .timeLimit(.minutes(20))) struct OverloadTests {
  private typealias Schedule = Swiftkart_Schedule_V1_RaceScheduleService
  private typealias Health = Grpc_Health_V1_Health.Client<HTTP2ClientTransport>
  private typealias Races = SwiftKartService.Client<HTTP2ClientTransport>
  private typealias Telemetry = Swiftkart_Telemetry_V1_RaceTelemetryService.Client
  private typealias Events = Swiftkart_Relay_V1_RaceEventService.Client

  /// Knows every race, and takes its time to list them.
  private struct HeldSchedule: RegistrableRPCService {
    let isAsked = Latch<Void>()
    let mayAnswer = Latch<Void>()

    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
      router.registerUnaryHandler(
        forMethod: Schedule.Method.GetRace.descriptor,
        deserializer: SerializedMessages(), serializer: SerializedMessages()
      ) { _, _ in ServerResponse(message: []) }
      router.registerUnaryHandler(
        forMethod: Schedule.Method.ListUpcomingRaces.descriptor,
        deserializer: SerializedMessages(), serializer: SerializedMessages()
      ) { _, _ in
        isAsked.close(with: ())
        try await mayAnswer.value
        return ServerResponse(message: [])
      }
    }
  }

  @Test func healthAndTelemetryAreServedAllTheSame() async throws {
    let folder = TemporaryFolder()
    let schedule = HeldSchedule()
    let limits = ["--max-unary-calls", "1", "--max-streaming-calls", "1"]
    let trackerTarget = "unix:\(folder.file("tracker.sock"))"
    let tracker = try RunningProcess(
      try Installation.executable("tracker-service"),
      ["--listen", trackerTarget, "--database", folder.file("telemetry.sqlite")] + limits)
    let port = try Mesh.freePort()
    let gateway = try RunningProcess(
      try Installation.executable("gateway"),
      [
        "--listen", "ipv4:127.0.0.1:\(port)", "--schedule",
        "unix:\(folder.file("schedule.sock"))", "--trackers", trackerTarget,
      ] + limits)
    let transport = HTTP2ServerTransport(
      listeningOn: .unixDomainSocket(path: folder.file("schedule.sock")))
    try await withGRPCServer(transport: transport, services: [schedule]) { _ in
      try await withClient("ipv4:127.0.0.1:\(port)") { client in
        try await withClient(trackerTarget) { tracker in
          try await record(1, client)
          // The one call of each kind that each of the two handles.
          let list = Task { try await Races(wrapping: client).listRaces(.init()) }
          try await schedule.isAsked.value
          let end = Latch<Void>()
          try await follow(client, until: end) {
            for _ in 0..<4 {
              await expectRefusal { _ = try await Races(wrapping: client).listRaces(.init()) }
              await expectRefusal { try await self.follow(client, until: end) {} }
              await expectRefusal {
                try await Events(wrapping: tracker).subscribe(.with { $0.raceName = "Race" }) {
                  for try await _ in $0.messages {}
                }
              }
              for client in [client, tracker] {
                let health = try await Health(wrapping: client).check(.init())
                #expect(health.status == .serving)
              }
            }
            for number in UInt64(2)...5 { try await record(number, client) }
            let progress = try await Telemetry(wrapping: client).getProgress(
              .with {
                $0.raceName = "Race"
                $0.producerID = "test"
              })
            #expect(progress.durableThrough == 5)
          }
          schedule.mayAnswer.close(with: ())
          _ = try await list.value
          // There is room again.
          _ = try await Races(wrapping: client).listRaces(.init())
        }
      }
    }
    for process in [gateway, tracker] {
      process.send(signal: SIGTERM)
      #expect(try await process.exit == .status(0), "\(process.transcript)")
    }
  }

  private func withClient(
    _ target: String, _ body: (GRPCClient<HTTP2ClientTransport>) async throws -> Void
  ) async throws {
    var configuration = HTTP2ClientTransport.Configuration.defaults
    configuration.backoff = ConnectionBackoff(
      initial: .milliseconds(20), maximum: .milliseconds(100))
    let client = GRPCClient.managed(
      transport: try HTTP2ClientTransport(target: target, configuration: configuration))
    defer { client.beginGracefulShutdown() }
    var options = CallOptions.defaults
    options.waitForReady = true
    _ = try await Health(wrapping: client).check(.init(), options: options)
    try await body(client)
  }

  /// Follows the race, and goes on once an event has come.
  private func follow(
    _ client: GRPCClient<HTTP2ClientTransport>, until end: Latch<Void>,
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await Races(wrapping: client).followRace { writer in
      try await writer.write(
        .with {
          $0.raceName = "Race"
          $0.eventTypes = [.standings]
        })
      try await end.value
    } onResponse: { response in
      var hasBegun = false
      for try await _ in response.messages where !hasBegun {
        hasBegun = true
        try await body()
        end.close(with: ())
      }
    }
  }

  private func record(_ number: UInt64, _ client: GRPCClient<HTTP2ClientTransport>) async throws {
    let response = try await Telemetry(wrapping: client).record { writer in
      try await writer.write(
        .with {
          $0.raceName = "Race"
          $0.producerID = "test"
          $0.number = number
          $0.observations = [
            .with {
              $0.observedAt = .init(seconds: 4_000_000_000)
              $0.sessionStart.kind = .race
            }
          ]
        })
    }
    #expect(response.durableThrough == number)
  }

  /// Expects a call to be sent away, and to be told when to come again.
  private func expectRefusal(_ call: () async throws -> Void) async {
    let error = await #expect(throws: RPCError.self) { try await call() }
    #expect(error?.code == .resourceExhausted)
    #expect(error.map { Array($0.metadata[stringValues: "grpc-retry-pushback-ms"]) } == ["200"])
  }
}
