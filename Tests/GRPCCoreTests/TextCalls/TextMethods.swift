import GRPCCore
import GRPCInProcessTransport

/// Methods whose messages are text, for tests to fill in.
enum TextMethods {
  static let service = ServiceDescriptor(fullyQualifiedService: "test.Texts")
  static let unary = MethodDescriptor(service: service, method: "Unary")
  static let streaming = MethodDescriptor(service: service, method: "Streaming")
}

typealias TextRouter = RPCRouter<InProcessTransport.Server>
typealias TextClient = GRPCClient<InProcessTransport.Client>

extension RPCRouter {
  /// Registers ``TextMethods/unary``.
  mutating func onUnary(
    _ handler:
      @escaping @Sendable (ServerRequest<String>, ServerContext) async throws
      -> ServerResponse<String>
  ) {
    registerUnaryHandler(
      forMethod: TextMethods.unary, deserializer: TextDeserializer(), serializer: TextSerializer(),
      handler: handler)
  }

  /// Registers ``TextMethods/streaming``.
  mutating func onStreaming(
    _ handler:
      @escaping @Sendable (StreamingServerRequest<String>, ServerContext) async throws
      -> StreamingServerResponse<String>
  ) {
    registerHandler(
      forMethod: TextMethods.streaming, deserializer: TextDeserializer(),
      serializer: TextSerializer(), handler: handler)
  }
}

extension GRPCClient {
  /// Calls a method with one message each way.
  func unary(
    _ message: String, metadata: Metadata = [:], to method: MethodDescriptor = TextMethods.unary,
    options: CallOptions = .defaults
  ) async throws -> ClientResponse<String> {
    try await unary(
      request: ClientRequest(message: message, metadata: metadata), descriptor: method,
      serializer: TextSerializer(), deserializer: TextDeserializer(), options: options
    ) { $0 }
  }

  /// Calls a method with one request, and uses the response.
  func serverStreaming<Result: Sendable>(
    _ message: String, metadata: Metadata = [:],
    to method: MethodDescriptor = TextMethods.streaming, options: CallOptions = .defaults,
    onResponse: @Sendable @escaping (StreamingClientResponse<String>) async throws -> Result
  ) async throws -> Result {
    try await serverStreaming(
      request: ClientRequest(message: message, metadata: metadata), descriptor: method,
      serializer: TextSerializer(), deserializer: TextDeserializer(), options: options,
      onResponse: onResponse)
  }

  /// Calls a method with requests that a closure writes, and expects one response.
  func clientStreaming(
    metadata: Metadata = [:], to method: MethodDescriptor = TextMethods.streaming,
    options: CallOptions = .defaults,
    producer: @Sendable @escaping (RPCWriter<String>) async throws -> Void
  ) async throws -> ClientResponse<String> {
    try await clientStreaming(
      request: StreamingClientRequest(metadata: metadata, producer: producer), descriptor: method,
      serializer: TextSerializer(), deserializer: TextDeserializer(), options: options
    ) { $0 }
  }

  /// Calls a method with requests that a closure writes, and uses the response.
  func bidirectionalStreaming<Result: Sendable>(
    metadata: Metadata = [:], to method: MethodDescriptor = TextMethods.streaming,
    options: CallOptions = .defaults,
    producer: @Sendable @escaping (RPCWriter<String>) async throws -> Void,
    onResponse: @Sendable @escaping (StreamingClientResponse<String>) async throws -> Result
  ) async throws -> Result {
    try await bidirectionalStreaming(
      request: StreamingClientRequest(metadata: metadata, producer: producer), descriptor: method,
      serializer: TextSerializer(), deserializer: TextDeserializer(), options: options,
      onResponse: onResponse)
  }
}

extension CallOptions {
  static func timeout(_ timeout: Duration?) -> Self {
    var options = CallOptions.defaults
    options.timeout = timeout
    return options
  }
}

extension ClientResponse {
  /// How the call failed.
  var failure: RPCError? {
    guard case .failure(let error) = accepted.flatMap(\.message) else { return nil }
    return error
  }
}
