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
    alwaysReady: Set<ServiceDescriptor> = [], dependencies: [Dependency] = [],
    _ body: @Sendable @escaping (ServingHealth) -> Void
  ) async throws -> [Grpc_Health_V1_HealthCheckResponse.ServingStatus] {
    let health = HealthService()
    body(
      ServingHealth(
        health.provider, services: [service], alwaysReady: alwaysReady, dependencies: dependencies))
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

  @Test func aServiceServesWhileAllThatItNeedsIsThere() async throws {
    let other = ServiceDescriptor(fullyQualifiedService: "swiftkart.Other")
    let first = dependency("first", of: [service])
    let second = dependency("second", of: [service, other])
    let unneeded = dependency("unneeded", of: [other])
    let all = [first, second, unneeded]
    #expect(try await statuses(dependencies: all) { $0.listens() } == [.notServing, .serving])
    #expect(
      try await statuses(dependencies: all) {
        $0.listens()
        $0.isThere(true, first)
      } == [.notServing, .serving])
    #expect(
      try await statuses(dependencies: all) {
        $0.listens()
        for dependency in [first, second] { $0.isThere(true, dependency) }
      } == [.serving, .serving])
    #expect(
      try await statuses(dependencies: all) {
        $0.listens()
        for dependency in all { $0.isThere(true, dependency) }
        $0.isThere(false, second)
      } == [.notServing, .serving])
  }

  private func dependency(_ name: String, of services: Set<ServiceDescriptor>) -> Dependency {
    Dependency(name, of: services, isThere: AsyncStream { nil })
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
