import GRPCCore
import GRPCInProcessTransport
import GRPCServices
import SwiftProtobuf
import Testing

@testable import KartProcess

@Suite struct ServingHealthTests {
  private let service = ServiceDescriptor(fullyQualifiedService: "swiftkart.Test")

  /// The status of the service and of the process as a whole, as a client is told.
  private func statuses(
    alwaysReady: Set<ServiceDescriptor> = [], _ body: @Sendable @escaping (ServingHealth) -> Void
  ) async throws -> [Grpc_Health_V1_HealthCheckResponse.ServingStatus] {
    let health = HealthService()
    body(ServingHealth(health.provider, services: [service], alwaysReady: alwaysReady))
    let transport = InProcessTransport()
    return try await withGRPCServer(transport: transport.server, services: [health]) { server in
      defer { server.beginGracefulShutdown() }
      return try await withGRPCClient(transport: transport.client) { client in
        let client = Grpc_Health_V1_Health.Client(wrapping: client)
        var statuses: [Grpc_Health_V1_HealthCheckResponse.ServingStatus] = []
        for name in ["swiftkart.Test", ""] {
          statuses.append(try await client.check(.with { $0.service = name }).status)
        }
        return statuses
      }
    }
  }

  @Test func servesWhileItListensAndIsReady() async throws {
    #expect(try await statuses { _ in } == [.notServing, .notServing])
    #expect(try await statuses { $0.listens() } == [.serving, .serving])
    #expect(
      try await statuses {
        $0.isReady(false)
        $0.listens()
      } == [.notServing, .notServing])
    #expect(
      try await statuses {
        $0.listens()
        $0.isReady(false)
        $0.isReady(true)
      } == [.serving, .serving])
  }

  @Test func aServiceMayServeWhileTheProcessIsNotReady() async throws {
    let statuses = try await statuses(alwaysReady: [service]) {
      $0.isReady(false)
      $0.listens()
    }
    #expect(statuses == [.serving, .notServing])
    let drained = try await self.statuses(alwaysReady: [service]) {
      $0.listens()
      $0.drains()
    }
    #expect(drained == [.notServing, .notServing])
  }

  @Test func nothingFollowsDraining() async throws {
    let statuses = try await statuses {
      $0.listens()
      $0.drains()
      $0.isReady(true)
    }
    #expect(statuses == [.notServing, .notServing])
  }
}
