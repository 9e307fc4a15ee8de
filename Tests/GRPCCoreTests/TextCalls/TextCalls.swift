import GRPCCore
import GRPCInProcessTransport

/// Serves methods in process, and lets a closure call them.
func withTextCalls<Result: Sendable>(
  over transport: InProcessTransport = InProcessTransport(),
  serverInterceptors: [ConditionalInterceptor<any ServerInterceptor>] = [],
  clientInterceptors: [ConditionalInterceptor<any ClientInterceptor>] = [],
  register: (inout TextRouter) -> Void,
  _ body: @Sendable (TextClient) async throws -> Result
) async throws -> Result {
  var router = TextRouter()
  register(&router)
  router.registerInterceptors(pipeline: serverInterceptors)
  let server = GRPCServer(transport: transport.server, router: router)
  return try await withThrowingDiscardingTaskGroup { group in
    group.addTask { try await server.serve() }
    defer { server.beginGracefulShutdown() }
    return try await withGRPCClient(
      transport: transport.client, interceptorPipeline: clientInterceptors, handleClient: body)
  }
}

/// Sees calls and changes nothing: a unary call that it sees goes the long way.
struct Onlooker: ServerInterceptor {
  func intercept<Input: Sendable, Output: Sendable>(
    request: StreamingServerRequest<Input>, context: ServerContext,
    next:
      @Sendable (StreamingServerRequest<Input>, ServerContext) async throws
      -> StreamingServerResponse<Output>
  ) async throws -> StreamingServerResponse<Output> {
    try await next(request, context)
  }
}
