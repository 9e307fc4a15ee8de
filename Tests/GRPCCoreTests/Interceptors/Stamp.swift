import GRPCCore

/// An interceptor that leaves its name on everything that passes.
struct Stamp: ClientInterceptor, ServerInterceptor {
  let name: String

  init(_ name: String) { self.name = name }

  func intercept<Input: Sendable, Output: Sendable>(
    request: StreamingClientRequest<Input>, context: ClientContext,
    next: (StreamingClientRequest<Input>, ClientContext) async throws
      -> StreamingClientResponse<Output>
  ) async throws -> StreamingClientResponse<Output> {
    var request = request
    request.metadata.addString(name, forKey: "stamp")
    var response = try await next(request, context)
    if case .success(var contents) = response.accepted {
      contents.metadata.addString(name, forKey: "stamp")
      response.accepted = .success(contents)
    }
    return response
  }

  func intercept<Input: Sendable, Output: Sendable>(
    request: StreamingServerRequest<Input>, context: ServerContext,
    next:
      @Sendable (StreamingServerRequest<Input>, ServerContext) async throws
      -> StreamingServerResponse<Output>
  ) async throws -> StreamingServerResponse<Output> {
    var request = request
    request.metadata.addString(name, forKey: "stamp")
    var response = try await next(request, context)
    switch response.accepted {
    case .success(var contents):
      contents.metadata.addString(name, forKey: "stamp")
      let producer = contents.producer
      contents.producer = { [name] writer in
        var trailing = try await producer(writer)
        trailing.addString(name, forKey: "stamp")
        return trailing
      }
      response.accepted = .success(contents)
    case .failure(var error):
      error.metadata.addString(name, forKey: "stamp")
      response.accepted = .failure(error)
    }
    return response
  }
}
