import GRPCCore
import Testing

@Suite struct InterceptorTests {
  private static func stamps(_ metadata: Metadata) -> String {
    metadata[stringValues: "stamp"].joined()
  }

  @Test func theFirstIsTheOutermost() async throws {
    let response = try await withTextCalls(
      serverInterceptors: [.apply(Stamp("c"), to: .all), .apply(Stamp("d"), to: .all)],
      clientInterceptors: [.apply(Stamp("a"), to: .all), .apply(Stamp("b"), to: .all)]
    ) { router in
      router.onUnary { request, _ in
        ServerResponse(message: Self.stamps(request.metadata))
      }
    } _: { client in
      try await client.unary("x")
    }
    #expect(try response.message == "abcd")
    #expect(Self.stamps(response.metadata) == "dcba")
    #expect(Self.stamps(response.trailingMetadata) == "dc")
  }

  @Test func onlyTheChosenCallsAreSeen() async throws {
    let other = ServiceDescriptor(fullyQualifiedService: "test.Other")
    let (unary, streaming) = try await withTextCalls(
      serverInterceptors: [
        .apply(Stamp("e"), to: .services([other])),
        .apply(Stamp("f"), to: .methods([TextMethods.streaming])),
      ],
      clientInterceptors: [
        .apply(Stamp("a"), to: .services([TextMethods.service])),
        .apply(Stamp("b"), to: .methods([TextMethods.unary])),
        .apply(Stamp("c"), to: .methods([])),
      ]
    ) { router in
      router.onUnary { request, _ in ServerResponse(message: Self.stamps(request.metadata)) }
      router.onStreaming { request, _ in
        StreamingServerResponse(
          single: ServerResponse(message: Self.stamps(request.metadata)))
      }
    } _: { client in
      (try await client.unary("x"), try await client.clientStreaming { _ in })
    }
    #expect(try unary.message == "ab")
    #expect(try streaming.message == "af")
  }

  @Test func anErrorPassesThoseFurtherOut() async throws {
    let response = try await withTextCalls(
      serverInterceptors: [.apply(Stamp("a"), to: .all), .apply(Gatekeeper(), to: .all)]
    ) { router in
      router.onUnary { _, _ in
        Issue.record("The call came through.")
        return ServerResponse(message: "")
      }
    } _: { client in
      try await client.unary("x")
    }
    #expect(response.failure?.code == .unauthenticated)
    #expect(response.trailingMetadata == ["stamp": "a"])
  }

  @Test func aClientsInterceptorMayRefuse() async throws {
    let response = try await withTextCalls(
      clientInterceptors: [.apply(Gatekeeper(), to: .all)]
    ) { router in
      router.onUnary { _, _ in
        Issue.record("The call came through.")
        return ServerResponse(message: "")
      }
    } _: { client in
      try await client.unary("x")
    }
    #expect(response.failure?.code == .unauthenticated)
  }

  /// Lets nobody through.
  private struct Gatekeeper: ServerInterceptor, ClientInterceptor {
    func intercept<Input: Sendable, Output: Sendable>(
      request: StreamingServerRequest<Input>, context: ServerContext,
      next:
        @Sendable (StreamingServerRequest<Input>, ServerContext) async throws
        -> StreamingServerResponse<Output>
    ) async throws -> StreamingServerResponse<Output> {
      throw RPCError(code: .unauthenticated, message: "Who are you?")
    }

    func intercept<Input: Sendable, Output: Sendable>(
      request: StreamingClientRequest<Input>, context: ClientContext,
      next: (StreamingClientRequest<Input>, ClientContext) async throws
        -> StreamingClientResponse<Output>
    ) async throws -> StreamingClientResponse<Output> {
      throw RPCError(code: .unauthenticated, message: "Who are you?")
    }
  }
}
