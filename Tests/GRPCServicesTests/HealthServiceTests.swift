import GRPCCore
import GRPCInProcessTransport
import GRPCServices
import Testing

@Suite struct HealthServiceTests {
  private let health = HealthService()

  private func withClient<Result: Sendable>(
    _ body:
      @Sendable (Grpc_Health_V1_Health.Client<InProcessTransport.Client>) async throws ->
      Result
  ) async throws -> Result {
    let transport = InProcessTransport()
    return try await withGRPCServer(transport: transport.server, services: [health]) { _ in
      try await withGRPCClient(transport: transport.client) { client in
        try await body(Grpc_Health_V1_Health.Client(wrapping: client))
      }
    }
  }

  @Test func checkAndList() async throws {
    health.provider.updateStatus(.notServing, forService: "kart")
    try await withClient { client in
      let kart = try await client.check(.with { $0.service = "kart" })
      #expect(kart.status == .notServing)
      #expect(try await client.check(.init()).status == .serving)
      let error = await #expect(throws: RPCError.self) {
        try await client.check(.with { $0.service = "other" })
      }
      #expect(error?.code == .notFound)
      #expect(
        try await client.list(.init()).statuses.mapValues(\.status)
          == ["": .serving, "kart": .notServing])
    }
  }

  @Test func aNameThatIsFarTooLongIsNotKept() async throws {
    try await withClient { client in
      let request = Grpc_Health_V1_HealthCheckRequest.with {
        $0.service = String(repeating: "a", count: 1025)
      }
      let checked = await #expect(throws: RPCError.self) { try await client.check(request) }
      #expect(checked?.code == .invalidArgument)
      let watched = await #expect(throws: RPCError.self) {
        try await client.watch(request) { for try await _ in $0.messages {} }
      }
      #expect(watched?.code == .invalidArgument)
    }
  }

  @Test func watchSendsTheStatusAndThenItsChanges() async throws {
    try await withClient { client in
      try await client.watch(.with { $0.service = "kart" }) { response in
        var messages = response.messages.makeAsyncIterator()
        let first = try await messages.next()
        #expect(first?.status == .serviceUnknown)
        health.provider.updateStatus(.serving, forService: "kart")
        #expect(try await messages.next()?.status == .serving)
        health.provider.updateStatus(.notServing, forService: "kart")
        #expect(try await messages.next()?.status == .notServing)
      }
    }
  }
}
