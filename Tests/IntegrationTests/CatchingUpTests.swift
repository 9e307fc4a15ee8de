import Foundation
import GRPCCore
import GRPCHTTP2Transport
import GRPCServices
import Glibc
import KartAPI
import KartTesting
import MeshTesting
import Testing

/// A gateway whose only tracker is not ready to tell of races, since it still reads what was recorded.
@Suite(.wholeMachine, .timeLimit(.minutes(20))) struct CatchingUpTests {
  private typealias Telemetry = Swiftkart_Telemetry_V1_RaceTelemetryService
  private typealias Events = Swiftkart_Relay_V1_RaceEventService

  /// Takes every batch.
  private struct Log: Telemetry.SimpleServiceProtocol {
    func record(
      request: RPCAsyncSequence<Swiftkart_Telemetry_V1_RecordRequest, any Error>,
      context: ServerContext
    ) async throws -> Swiftkart_Telemetry_V1_RecordResponse {
      var last: UInt64 = 0
      for try await batch in request { last = batch.number }
      return .with { $0.durableThrough = last }
    }

    func getProgress(
      request: Swiftkart_Telemetry_V1_GetProgressRequest, context: ServerContext
    ) async throws -> Swiftkart_Telemetry_V1_GetProgressResponse { .with { $0.durableThrough = 7 } }
  }

  @Test func takesTelemetryAllTheSame() async throws {
    let folder = TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("trackers"), withIntermediateDirectories: true)
    let port = try Mesh.freePort()
    let gateway = try RunningProcess(
      try Installation.executable("gateway"),
      [
        "--listen", "ipv4:127.0.0.1:\(port)", "--schedule", "unix:\(folder.file("none.sock"))",
        "--trackers", "unix-dir:\(folder.file("trackers"))",
      ])
    let health = HealthService()
    health.provider.updateStatus(.notServing, forService: Events.descriptor)
    health.provider.updateStatus(.serving, forService: Telemetry.descriptor)
    let transport = HTTP2ServerTransport(
      listeningOn: .unixDomainSocket(path: folder.file("trackers/t.sock")))
    try await withGRPCServer(transport: transport, services: [Log(), health]) { _ in
      let client = GRPCClient.managed(
        transport: try HTTP2ClientTransport(target: "ipv4:127.0.0.1:\(port)"))
      defer { client.beginGracefulShutdown() }
      let telemetry = Telemetry.Client(wrapping: client)
      var options = CallOptions.defaults
      options.waitForReady = true
      #expect(try await telemetry.getProgress(.init(), options: options).durableThrough == 7)
      let recorded = try await telemetry.record(options: options) { writer in
        for number in UInt64(1)...3 {
          try await writer.write(
            .with {
              $0.raceName = "Race"
              $0.producerID = "test"
              $0.number = number
            })
        }
      }
      #expect(recorded.durableThrough == 3)
    }
    gateway.send(signal: SIGTERM)
    #expect(try await gateway.exit == .status(0), "\(gateway.transcript)")
  }
}
