import GRPCCore
import KartAPI

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
  ///   - onSuccess: Takes the request of each call that succeeded.
  func register<Transport: ServerTransport>(
    _ method: MethodDescriptor, to target: MethodDescriptor,
    with router: inout RPCRouter<Transport>,
    onSuccess: (@Sendable (_ request: [UInt8]) async -> Void)? = nil
  ) {
    router.registerUnaryHandler(
      forMethod: method, deserializer: SerializedMessages(), serializer: SerializedMessages()
    ) { request, _ in
      let response = try await forward(request, to: target)
      await onSuccess?(request.message)
      return response
    }
  }

  // Whether a call is made again is for the upstream's service config to say.
  private func forward(
    _ request: ServerRequest<[UInt8]>, to target: MethodDescriptor
  ) async throws -> ServerResponse<[UInt8]> {
    var options = CallOptions.defaults
    options.timeout = timeout
    options.waitForReady = true
    let response = try await client.unary(
      request: ClientRequest(message: request.message), descriptor: target,
      serializer: SerializedMessages(), deserializer: SerializedMessages(), options: options
    ) { $0 }
    return ServerResponse(message: try response.message)
  }
}
