/// How a call of a method is handled, as a transport sees it that carries messages as arrays of
/// bytes.
///
/// The closures take concrete types, so that each method's is compiled for its messages: a generic
/// one would look every type up at run time, and keep every value of it apart from its frame.
public enum RPCRoute: Sendable {
  /// A call as a stream of arrays of bytes.
  public typealias Stream = RPCStream<
    RPCAsyncSequence<RPCRequestPart<[UInt8]>, any Error>,
    RPCWriter<RPCResponsePart<[UInt8]>>.Closable
  >

  /// Handles a call with one message each way. It never throws.
  public typealias UnaryHandler =
    nonisolated(nonsending) @Sendable (
      _ metadata: Metadata, _ message: [UInt8], _ context: ServerContext
    ) async -> UnaryReply

  /// Handles a call as a stream, which it ends.
  public typealias StreamHandler =
    @Sendable (
      _ stream: consuming Stream, _ context: ServerContext
    ) async -> Void

  /// One message each way, with no interceptor in between.
  ///
  /// A transport that has the whole request calls this; it answers a request without exactly one
  /// message with UNIMPLEMENTED itself.
  case unary(UnaryHandler)
  /// Anything else.
  case streaming(StreamHandler)
}

/// What a unary handler answers, ready for the wire.
public struct UnaryReply: Sendable {
  /// Sent before the message.
  public var metadata: Metadata
  /// The message; `nil` where the call failed.
  public var message: [UInt8]?
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
  public init(message: [UInt8], metadata: Metadata, trailingMetadata: Metadata) {
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
