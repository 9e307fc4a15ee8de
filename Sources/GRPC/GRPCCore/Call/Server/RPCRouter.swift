/// The methods of a server, by name.
public struct RPCRouter<Transport: ServerTransport>: Sendable {
  @usableFromInline
  struct Method: Sendable {
    /// The short way, for a unary method.
    @usableFromInline
    var unary: RPCRoute.UnaryHandler?
    /// The way that is always there.
    @usableFromInline
    var streaming: ServerCallExecutor.StreamHandler
    var interceptors: [any ServerInterceptor] = []

    @usableFromInline
    init(unary: RPCRoute.UnaryHandler? = nil, streaming: @escaping ServerCallExecutor.StreamHandler)
    {
      self.unary = unary
      self.streaming = streaming
    }
  }

  @usableFromInline
  var table: [MethodDescriptor: Method] = [:]

  /// Creates a router without a method.
  public init() {}

  /// The methods that are registered.
  public var methods: [MethodDescriptor] { Array(table.keys) }

  /// How many methods are registered.
  public var count: Int { table.count }

  /// Whether a method is registered.
  ///
  /// - Parameter descriptor: The method.
  public func hasHandler(forMethod descriptor: MethodDescriptor) -> Bool {
    table[descriptor] != nil
  }

  /// Removes a method.
  ///
  /// - Parameter descriptor: The method.
  /// - Returns: Whether it was registered.
  @discardableResult
  public mutating func removeHandler(forMethod descriptor: MethodDescriptor) -> Bool {
    table.removeValue(forKey: descriptor) != nil
  }

  /// Registers a method, in place of one of the same name.
  ///
  /// - Parameters:
  ///   - descriptor: The method.
  ///   - deserializer: Reads the requests.
  ///   - serializer: Writes the responses.
  ///   - handler: Handles a call.
  @inlinable
  @inline(__always)
  public mutating func registerHandler<Input: Sendable, Output: Sendable>(
    forMethod descriptor: MethodDescriptor, deserializer: some MessageDeserializer<Input>,
    serializer: some MessageSerializer<Output>,
    handler:
      @escaping @Sendable (
        _ request: StreamingServerRequest<Input>, _ context: ServerContext
      ) async throws -> StreamingServerResponse<Output>
  ) {
    table[descriptor] = Method(
      streaming: ServerCallExecutor.streamHandler(
        deserializer: deserializer, serializer: serializer, handler: handler))
  }

  /// Registers a method with one message each way, in place of one of the same name.
  ///
  /// A call that no interceptor sees goes from message to handler to message without a stream.
  ///
  /// - Parameters:
  ///   - descriptor: The method.
  ///   - deserializer: Reads the request.
  ///   - serializer: Writes the response.
  ///   - handler: Handles a call.
  @inlinable
  @inline(__always)
  public mutating func registerUnaryHandler<Input: Sendable, Output: Sendable>(
    forMethod descriptor: MethodDescriptor, deserializer: some MessageDeserializer<Input>,
    serializer: some MessageSerializer<Output>,
    handler:
      @escaping @Sendable (
        _ request: ServerRequest<Input>, _ context: ServerContext
      ) async throws -> ServerResponse<Output>
  ) {
    table[descriptor] = Method(
      unary: ServerCallExecutor.unaryHandler(
        deserializer: deserializer, serializer: serializer, handler: handler),
      streaming: ServerCallExecutor.streamHandler(
        deserializer: deserializer, serializer: serializer
      ) { request, context in
        StreamingServerResponse(
          single: try await handler(try await ServerRequest(stream: request), context))
      })
  }

  /// Has interceptors see the methods that are registered now.
  ///
  /// - Parameter pipeline: The interceptors, the outermost first, each with the calls it sees.
  public mutating func registerInterceptors(
    pipeline: [ConditionalInterceptor<any ServerInterceptor>]
  ) {
    for descriptor in table.keys {
      table[descriptor]?.interceptors = pipeline.filter { $0.applies(to: descriptor) }
        .map(\.interceptor)
    }
  }

  /// Handles a call as a stream, whatever its method.
  ///
  /// - Parameters:
  ///   - stream: The call.
  ///   - context: What is known of the call.
  public func handle(
    stream: RPCStream<Transport.Inbound, Transport.Outbound>, context: ServerContext
  ) async {
    let stream = RPCRoute.Stream(stream)
    guard let method = table[stream.descriptor] else {
      let status = Status(
        code: .unimplemented, message: "The method '\(stream.descriptor)' is not served here.")
      try? await stream.outbound.write(.status(status, [:]))
      await stream.outbound.finish()
      return
    }
    await method.streaming(method.interceptors)(stream, context)
  }
}

extension RPCRouter where Transport.Bytes == [UInt8] {
  /// How calls of a method are handled.
  ///
  /// - Parameter descriptor: The method.
  /// - Returns: The route, or `nil` where there is no such method.
  public func route(forMethod descriptor: MethodDescriptor) -> RPCRoute? {
    guard let method = table[descriptor] else { return nil }
    if method.interceptors.isEmpty, let unary = method.unary { return .unary(unary) }
    return .streaming(method.streaming(method.interceptors))
  }
}
