/// Carries calls to servers.
public protocol ClientTransport<Bytes>: Sendable {
  /// How the transport holds a message's bytes.
  associatedtype Bytes: GRPCContiguousBytes & Sendable

  /// What comes from the server.
  typealias Inbound = RPCAsyncSequence<RPCResponsePart<Bytes>, any Error>
  /// Where to write what goes to the server.
  typealias Outbound = RPCWriter<RPCRequestPart<Bytes>>.Closable

  /// What keeps the transport from making failed calls again; nil if nothing does.
  var retryThrottle: RetryThrottle? { get }

  /// What a service's configuration says of calls of a method.
  ///
  /// The transport keeps to it; this is for those who want to know.
  ///
  /// - Parameter descriptor: The method.
  /// - Returns: The configuration, if there is one.
  func config(forMethod descriptor: MethodDescriptor) -> MethodConfig?

  /// Keeps the transport's connections until shutdown.
  ///
  /// - Throws: Why the transport can't run.
  func connect() async throws

  /// Takes no new calls, and ends ``connect()`` when those under way have ended.
  func beginGracefulShutdown()

  /// Opens a stream for a call and closes it when the closure ends.
  ///
  /// The transport keeps the call's deadline: ``CallOptions/deadline(from:)``.
  ///
  /// - Parameters:
  ///   - descriptor: The method to call.
  ///   - options: What the caller wants of the call.
  ///   - closure: Uses the stream.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws, or an ``RPCError`` where no stream can be had.
  func withStream<T: Sendable>(
    descriptor: MethodDescriptor, options: CallOptions,
    _ closure: (_ stream: RPCStream<Inbound, Outbound>, _ context: ClientContext) async throws -> T
  ) async throws -> T

  /// Makes a call with one message each way.
  ///
  /// The default goes through ``withStream(descriptor:options:_:)``; a transport with a shorter way
  /// offers it here.
  ///
  /// - Parameters:
  ///   - descriptor: The method to call.
  ///   - options: What the caller wants of the call.
  ///   - metadata: The request's metadata.
  ///   - message: The request's message.
  /// - Returns: How the call ended. A failure never throws.
  nonisolated(nonsending) func unary(
    descriptor: MethodDescriptor, options: CallOptions, metadata: Metadata, message: Bytes
  ) async -> UnaryOutcome<Bytes>
}

/// How a call with one message each way ended, at the client.
public enum UnaryOutcome<Bytes: Sendable>: Sendable {
  /// What a server answers that took the call.
  ///
  /// A type of its own, since the runtime looks a tuple's up under a lock wherever it is generic.
  public struct Answer: Sendable {
    /// Sent before the message.
    public var metadata: Metadata
    /// The message, or why there is none.
    public var message: Result<Bytes, RPCError>
    /// Sent with the status; a failure holds it itself.
    public var trailingMetadata: Metadata

    /// Creates an answer.
    ///
    /// - Parameters:
    ///   - metadata: Sent before the message.
    ///   - message: The message, or why there is none.
    ///   - trailingMetadata: Sent with the status.
    @inlinable
    public init(
      metadata: Metadata, message: Result<Bytes, RPCError>, trailingMetadata: Metadata = [:]
    ) {
      self.metadata = metadata
      self.message = message
      self.trailingMetadata = trailingMetadata
    }
  }

  /// The server took the call.
  case accepted(Answer)
  /// The call failed before the server sent metadata, or never reached it.
  case rejected(RPCError)
}

extension ClientTransport {
  /// Nothing keeps the transport from making failed calls again, if it does.
  public var retryThrottle: RetryThrottle? { nil }

  /// No method has a configuration.
  public func config(forMethod descriptor: MethodDescriptor) -> MethodConfig? { nil }

  /// Makes the call over a stream.
  nonisolated(nonsending) public func unary(
    descriptor: MethodDescriptor, options: CallOptions, metadata: Metadata, message: Bytes
  ) async -> UnaryOutcome<Bytes> {
    do {
      return try await withStream(descriptor: descriptor, options: options) { stream, _ in
        try await stream.outbound.write(.metadata(metadata))
        try await stream.outbound.write(.message(message))
        await stream.outbound.finish()
        return try await UnaryOutcome(reading: stream.inbound)
      }
    } catch {
      return .rejected(RPCError(catching: error, unknown: "The call failed."))
    }
  }
}

extension UnaryOutcome where Bytes: GRPCContiguousBytes {
  /// Reads one message and the status.
  init(reading inbound: RPCAsyncSequence<RPCResponsePart<Bytes>, any Error>) async throws {
    var metadata: Metadata?
    var message: Bytes?
    var surplus = false
    for try await part in inbound {
      switch part {
      case .metadata(let initial): metadata = initial
      case .message(let bytes):
        surplus = message != nil
        message = bytes
      case .status(let status, let trailing):
        self.init(
          metadata: metadata, message: message, hasSurplus: surplus, status: status,
          trailingMetadata: trailing)
        return
      }
    }
    throw RPCError(code: .internalError, message: "The stream ended without a status.")
  }

  /// Judges what came: exactly one message makes a success.
  ///
  /// - Parameters:
  ///   - metadata: The initial metadata; `nil` where the server sent only trailers.
  ///   - message: The message, where one came.
  ///   - hasSurplus: Whether there was a second one.
  ///   - status: The call's status.
  ///   - trailingMetadata: The trailing metadata.
  @inlinable
  public init(
    metadata: Metadata?, message: Bytes?, hasSurplus: Bool, status: Status,
    trailingMetadata: Metadata
  ) {
    let failure =
      RPCError(status: status, metadata: trailingMetadata)
      ?? (message == nil || hasSurplus
        ? RPCError(
          code: .unimplemented,
          message: "The server sent \(hasSurplus ? "several messages" : "no message") for a call "
            + "with one response.", metadata: trailingMetadata)
        : nil)
    guard let metadata else {
      self = .rejected(
        failure ?? RPCError(code: .internalError, message: "The server sent no initial metadata."))
      return
    }
    let result: Result<Bytes, RPCError> =
      switch (failure, message) {
      case (let failure?, _): .failure(failure)
      case (nil, let message?): .success(message)
      case (nil, nil): .failure(RPCError(code: .internalError, message: "No message came."))
      }
    self = .accepted(
      Answer(metadata: metadata, message: result, trailingMetadata: trailingMetadata))
  }
}
