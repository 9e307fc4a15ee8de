/// How a call of a method is handled, as a transport sees it.
public enum RPCRoute<Bytes: GRPCContiguousBytes & Sendable>: Sendable {
  /// One message each way, with no interceptor in between.
  ///
  /// A transport that has the whole request calls this; it answers a request without exactly one
  /// message with UNIMPLEMENTED itself. It never throws.
  case unary(
    @Sendable (_ metadata: Metadata, _ message: Bytes, _ context: ServerContext) async
      -> UnaryReply<Bytes>)
  /// Anything else.
  case streaming(
    @Sendable (
      _ stream: RPCStream<
        RPCAsyncSequence<RPCRequestPart<Bytes>, any Error>,
        RPCWriter<RPCResponsePart<Bytes>>.Closable
      >, _ context: ServerContext
    ) async -> Void)
}

/// What a unary handler answers, ready for the wire.
public struct UnaryReply<Bytes: GRPCContiguousBytes & Sendable>: Sendable {
  /// Sent before the message.
  public var metadata: Metadata
  /// The message; `nil` where the call failed.
  public var message: Bytes?
  /// How the call ended.
  public var status: Status
  /// Sent with the status.
  public var trailingMetadata: Metadata
  /// How to compress the message, where the client knows the algorithm; `nil` leaves it to the
  /// transport.
  public var compression: CompressionAlgorithm?

  /// Creates the reply of a call that succeeded.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - metadata: Sent before the message.
  ///   - trailingMetadata: Sent with the status.
  public init(message: Bytes, metadata: Metadata, trailingMetadata: Metadata) {
    self.metadata = metadata
    self.message = message
    status = .ok
    self.trailingMetadata = trailingMetadata
  }

  /// Creates the reply of a call that failed.
  ///
  /// - Parameter error: How it failed.
  public init(error: RPCError) {
    metadata = [:]
    message = nil
    status = Status(error)
    trailingMetadata = error.metadata
  }
}

extension Status {
  /// The status that tells a client of an error.
  ///
  /// - Parameter error: The error.
  public init(_ error: RPCError) {
    self.init(code: error.code.status, message: error.message)
  }
}
