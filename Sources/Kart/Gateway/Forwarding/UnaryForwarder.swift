import GRPCCore
import GRPCHTTP2Transport
import KartAPI

/// Passes calls of one message each way on to another service, as bytes.
struct UnaryForwarder: Sendable {
  private typealias Forward =
    @Sendable (_ request: ServerRequest<[UInt8]>, _ target: MethodDescriptor) async throws ->
    ServerResponse<[UInt8]>

  private let forward: Forward

  /// Creates a forwarder.
  ///
  /// - Parameters:
  ///   - client: Calls the service.
  ///   - timeout: How long a call may take at most, waiting for a connection included.
  init(client: GRPCClient<some ClientTransport>, timeout: Duration) {
    // A call is compiled for HTTP/2: what is generic looks its types up while it runs.
    forward =
      if let client = client as? GRPCClient<HTTP2ClientTransport> {
        Self.forward(to: client, timeout)
      } else {
        Self.forward(to: client, timeout)
      }
  }

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
    ) { [forward] request, _ in
      let response = try await forward(request, target)
      await onSuccess?(request.message)
      return response
    }
  }

  // Whether a call is made again is for the upstream's service config to say.
  private static func forward(
    to client: GRPCClient<some ClientTransport>, _ timeout: Duration
  ) -> Forward {
    var options = CallOptions.defaults
    options.timeout = timeout
    options.waitForReady = true
    return { [options] request, target in
      try await client.unary(
        request: ClientRequest(message: request.message), descriptor: target,
        serializer: SerializedMessages(), deserializer: SerializedMessages(), options: options
      ) { ServerResponse(message: try $0.message) }
    }
  }
}
