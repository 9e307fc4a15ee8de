/// The methods of a server, by name.
public struct RPCRouter<Transport: ServerTransport>: Sendable {
  typealias Stream = RPCStream<Transport.Inbound, Transport.Outbound>

  struct Method: Sendable {
    /// The short way, for a unary method.
    var unary:
      (
        @Sendable (
          _ metadata: Metadata, _ message: Transport.Bytes, _ context: ServerContext
        ) async -> UnaryReply<Transport.Bytes>
      )?
    /// The way that is always there.
    var streaming:
      @Sendable (
        _ stream: Stream, _ context: ServerContext, _ interceptors: [any ServerInterceptor]
      ) async -> Void
    var interceptors: [any ServerInterceptor] = []
  }

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
  public mutating func registerHandler<Input: Sendable, Output: Sendable>(
    forMethod descriptor: MethodDescriptor, deserializer: some MessageDeserializer<Input>,
    serializer: some MessageSerializer<Output>,
    handler:
      @escaping @Sendable (
        _ request: StreamingServerRequest<Input>, _ context: ServerContext
      ) async throws -> StreamingServerResponse<Output>
  ) {
    table[descriptor] = Method(unary: nil) { stream, context, interceptors in
      await ServerCallExecutor.execute(
        stream: stream, context: context, deserializer: deserializer, serializer: serializer,
        interceptors: interceptors, handler: handler)
    }
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
  public mutating func registerUnaryHandler<Input: Sendable, Output: Sendable>(
    forMethod descriptor: MethodDescriptor, deserializer: some MessageDeserializer<Input>,
    serializer: some MessageSerializer<Output>,
    handler:
      @escaping @Sendable (
        _ request: ServerRequest<Input>, _ context: ServerContext
      ) async throws -> ServerResponse<Output>
  ) {
    table[descriptor] = Method(
      unary: { metadata, message, context in
        await ServerCallExecutor.executeUnary(
          metadata: metadata, message: message, context: context, deserializer: deserializer,
          serializer: serializer, handler: handler)
      },
      streaming: { stream, context, interceptors in
        await ServerCallExecutor.execute(
          stream: stream, context: context, deserializer: deserializer, serializer: serializer,
          interceptors: interceptors
        ) { request, context in
          StreamingServerResponse(
            single: try await handler(try await ServerRequest(stream: request), context))
        }
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

  /// How calls of a method are handled.
  ///
  /// - Parameter descriptor: The method.
  /// - Returns: The route, or `nil` where there is no such method.
  public func route(forMethod descriptor: MethodDescriptor) -> RPCRoute<Transport.Bytes>? {
    guard let method = table[descriptor] else { return nil }
    if method.interceptors.isEmpty, let unary = method.unary { return .unary(unary) }
    let (streaming, interceptors) = (method.streaming, method.interceptors)
    return .streaming { stream, context in await streaming(stream, context, interceptors) }
  }

  /// Handles a call as a stream, whatever its method.
  ///
  /// - Parameters:
  ///   - stream: The call.
  ///   - context: What is known of the call.
  public func handle(
    stream: RPCStream<Transport.Inbound, Transport.Outbound>, context: ServerContext
  ) async {
    guard let method = table[stream.descriptor] else {
      let status = Status(
        code: .unimplemented, message: "The method '\(stream.descriptor)' is not served here.")
      try? await stream.outbound.write(.status(status, [:]))
      await stream.outbound.finish()
      return
    }
    await method.streaming(stream, context, method.interceptors)
  }
}
