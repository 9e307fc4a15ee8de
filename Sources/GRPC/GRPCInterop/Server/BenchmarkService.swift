import GRPCCore

/// `grpc.testing.BenchmarkService`, for load.
package struct BenchmarkService: Grpc_Testing_BenchmarkService.SimpleServiceProtocol {
  /// Creates the service.
  package init() {}

  package func unaryCall(
    request: Grpc_Testing_SimpleRequest, context: ServerContext
  ) async throws -> Grpc_Testing_SimpleResponse {
    try Self.response(to: request)
  }

  package func streamingCall(
    request: RPCAsyncSequence<Grpc_Testing_SimpleRequest, any Error>,
    response: RPCWriter<Grpc_Testing_SimpleResponse>, context: ServerContext
  ) async throws {
    for try await message in request { try await response.write(try Self.response(to: message)) }
  }

  package func streamingFromClient(
    request: RPCAsyncSequence<Grpc_Testing_SimpleRequest, any Error>, context: ServerContext
  ) async throws -> Grpc_Testing_SimpleResponse {
    var last = Grpc_Testing_SimpleRequest()
    for try await message in request { last = message }
    return try Self.response(to: last)
  }

  package func streamingFromServer(
    request: Grpc_Testing_SimpleRequest, response: RPCWriter<Grpc_Testing_SimpleResponse>,
    context: ServerContext
  ) async throws {
    let message = try Self.response(to: request)
    while !context.cancellation.isCancelled { try await response.write(message) }
  }

  package func streamingBothWays(
    request: RPCAsyncSequence<Grpc_Testing_SimpleRequest, any Error>,
    response: RPCWriter<Grpc_Testing_SimpleResponse>, context: ServerContext
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      var requests = request.makeAsyncIterator()
      guard let first = try await requests.next() else { return }
      let message = try Self.response(to: first)
      group.addTask { while !Task.isCancelled { try await response.write(message) } }
      while try await requests.next() != nil {}
      group.cancelAll()
    }
  }

  private static func response(
    to request: Grpc_Testing_SimpleRequest
  ) throws(RPCError) -> Grpc_Testing_SimpleResponse {
    var response = Grpc_Testing_SimpleResponse()
    response.payload = try .zeros(asked: request.responseSize)
    return response
  }
}
