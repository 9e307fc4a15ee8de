import GRPCCore

/// Passes calls of one message each way on to another service, as bytes.
struct UnaryForwarder<Upstream: ClientTransport>: Sendable {
  let client: GRPCClient<Upstream>
  /// How long a call may take at most, waiting for a connection included.
  let timeout: Duration

  /// Registers a method that is answered by a method of the upstream.
  ///
  /// - Parameters:
  ///   - method: The method to serve.
  ///   - target: The upstream's method, of the same messages.
  ///   - attempts: How often to try, at most; more than once only where a call may be made twice.
  func register<Transport: ServerTransport>(
    _ method: MethodDescriptor, to target: MethodDescriptor, attempts: Int = 1,
    with router: inout RPCRouter<Transport>
  ) {
    router.registerUnaryHandler(
      forMethod: method, deserializer: RawMessages(), serializer: RawMessages()
    ) { request, _ in
      try await forward(request, to: target, attempts: attempts)
    }
  }

  private func forward(
    _ request: ServerRequest<[UInt8]>, to target: MethodDescriptor, attempts: Int
  ) async throws -> ServerResponse<[UInt8]> {
    var options = CallOptions.defaults
    options.timeout = timeout
    options.waitForReady = true
    var attempt = 1
    while true {
      let response = try await client.unary(
        request: ClientRequest(message: request.message), descriptor: target,
        serializer: RawMessages(), deserializer: RawMessages(), options: options
      ) { $0 }
      switch response.accepted.flatMap(\.message) {
      case .success(let message): return ServerResponse(message: message)
      case .failure(let error) where error.code == .unavailable && attempt < attempts:
        attempt += 1
      case .failure(let error): throw error
      }
    }
  }
}
