import Foundation
import GRPCCore
import GRPCHTTP2Transport
import GRPCServices
import Glibc
import KartAPI
import MeshTesting
import Testing

/// Every process of a mesh is told to end, one after another, as a new version is rolled out.
@Suite(.wholeMachine, .timeLimit(.minutes(20))) struct RollingRestartTests {
  private struct Event: Decodable {
    var sequence: String
  }

  /// A client as a careful one is: it waits for a connection, and lists races again when that failed.
  private func client(_ target: String) throws -> GRPCClient<HTTP2ClientTransport> {
    var configuration = HTTP2ClientTransport.Configuration.defaults
    configuration.backoff = ConnectionBackoff(
      initial: .milliseconds(20), maximum: .milliseconds(200))
    configuration.serviceConfig = ServiceConfig(methodConfig: [
      MethodConfig(
        names: [MethodConfig.Name(service: "")], waitForReady: true, timeout: .seconds(20),
        executionPolicy: .retry(
          RetryPolicy(
            maxAttempts: 4, initialBackoff: .milliseconds(20), maxBackoff: .milliseconds(200),
            backoffMultiplier: 2, retryableStatusCodes: [.unavailable])))
    ])
    return GRPCClient.managed(
      transport: try HTTP2ClientTransport(target: target, configuration: configuration))
  }

  /// Ends a process in good order, and waits until its successor serves.
  private func restart(_ process: ProcessTable.Entry) async throws {
    let flag = try #require(process.arguments.firstIndex(of: "--listen"))
    kill(process.id, SIGTERM)
    #expect(ProcessTable.waitForEnd(of: process.id, milliseconds: 30_000))
    let client = try client(process.arguments[flag + 1])
    defer { client.beginGracefulShutdown() }
    let health = Grpc_Health_V1_Health.Client(wrapping: client)
    while try await health.check(.init()).status != .serving {}
  }

  @Test func isInvisibleToClients() async throws {
    let mesh = try await Mesh(demo: true)
    // Standings have numbers, too, which one who does not want them would miss.
    let follow = try mesh.kart("follow", "Finite Loops", "--standings", "--json")
    try await follow.output.first { _ in true }
    let client = try client(mesh.target)
    defer { client.beginGracefulShutdown() }
    let races = SwiftKartService.Client(wrapping: client)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          while !Task.isCancelled {
            do {
              _ = try await races.listRaces(.init())
            } catch let error as RPCError where error.code == .cancelled && Task.isCancelled {}
          }
        }
      }
      for executable in ["schedule-service", "tracker-service", "gateway"] {
        for process in ProcessTable.children(of: mesh.up.processID)
        where process.executable == executable { try await restart(process) }
      }
      group.cancelAll()
      try await group.waitForAll()
    }
    // The race goes on, and nothing of it is missing after the snapshot's end.
    try await follow.output.first(from: follow.output.lines.count) { _ in true }
    follow.send(signal: SIGINT)
    #expect(try await follow.exit == .status(0), "\(follow.transcript)")
    let numbers = try follow.output.lines.map {
      UInt64(try JSONDecoder().decode(Event.self, from: Data($0.utf8)).sequence) ?? 0
    }.dropFirst()
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 + 1 == $1 }, "\(follow.transcript)")
  }
}
