/// Accepts calls from clients.
public protocol ServerTransport<Bytes>: Sendable {
  /// How the transport holds a message's bytes.
  associatedtype Bytes: GRPCContiguousBytes & Sendable

  /// What comes from a client.
  typealias Inbound = RPCAsyncSequence<RPCRequestPart<Bytes>, any Error>
  /// Where to write what goes to a client.
  typealias Outbound = RPCWriter<RPCResponsePart<Bytes>>.Closable

  /// Accepts calls until shutdown, and handles each with a closure.
  ///
  /// - Parameter streamHandler: Handles one call.
  /// - Throws: Why the transport can't listen.
  func listen(
    streamHandler:
      @escaping @Sendable (
        _ stream: RPCStream<Inbound, Outbound>, _ context: ServerContext
      ) async -> Void
  ) async throws

  /// Accepts calls until shutdown, and routes each by the router's table.
  ///
  /// A transport that implements this can take a unary call straight from message to handler to
  /// message; the default sends every call through ``listen(streamHandler:)``.
  ///
  /// - Parameter router: The methods to serve.
  /// - Throws: Why the transport can't listen.
  func listen(router: RPCRouter<Self>) async throws

  /// Takes no new calls, and ends ``listen(router:)`` when those under way have ended.
  func beginGracefulShutdown()
}

extension ServerTransport {
  /// Sends every call through ``listen(streamHandler:)``.
  ///
  /// - Parameter router: Has the handlers.
  /// - Throws: Why the transport can't listen.
  public func listen(router: RPCRouter<Self>) async throws {
    try await listen { stream, context in await router.handle(stream: stream, context: context) }
  }
}
