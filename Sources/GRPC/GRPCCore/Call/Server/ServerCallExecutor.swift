/// Runs one call of a server: reads the request, calls the handler, writes what it answers.
enum ServerCallExecutor {
  /// Handles a call of one message each way.
  static func executeUnary<Bytes: GRPCContiguousBytes & Sendable, Input, Output>(
    metadata: Metadata, message: Bytes, context: ServerContext,
    deserializer: some MessageDeserializer<Input>, serializer: some MessageSerializer<Output>,
    handler: @Sendable (ServerRequest<Input>, ServerContext) async throws -> ServerResponse<Output>
  ) async -> UnaryReply<Bytes> {
    do {
      let request = ServerRequest(
        metadata: metadata, message: try deserializer.read(message))
      let response = try await ServerContext.$current.withValue(context) {
        try await handler(request, context)
      }
      let contents = try response.accepted.get()
      var reply = UnaryReply<Bytes>(
        message: try serializer.write(contents.message), metadata: contents.metadata,
        trailingMetadata: contents.trailingMetadata)
      reply.compression = contents.compression
      return reply
    } catch {
      return UnaryReply(error: RPCError(failureOf: context, error))
    }
  }

  /// Handles a call as a stream.
  static func execute<Bytes: GRPCContiguousBytes & Sendable, Input: Sendable, Output: Sendable>(
    stream: RPCStream<
      RPCAsyncSequence<RPCRequestPart<Bytes>, any Error>, RPCWriter<RPCResponsePart<Bytes>>.Closable
    >,
    context: ServerContext, deserializer: some MessageDeserializer<Input>,
    serializer: some MessageSerializer<Output>, interceptors: [any ServerInterceptor],
    handler:
      @escaping @Sendable (
        StreamingServerRequest<Input>, ServerContext
      ) async throws -> StreamingServerResponse<Output>
  ) async {
    let outbound = stream.outbound
    let status: (Status, Metadata)
    do {
      var parts = stream.inbound.makeAsyncIterator()
      guard case .metadata(let metadata)? = try await parts.next(isolation: nil) else {
        throw RPCError(code: .internalError, message: "The call did not begin with its metadata.")
      }
      let request = StreamingServerRequest(
        metadata: metadata,
        messages: RPCAsyncSequence(source: RequestMessages(parts, deserializer: deserializer)))
      let trailingMetadata = try await ServerContext.$current.withValue(context) {
        let producer = try await begin(
          request, context: context, interceptors: interceptors, outbound: outbound,
          handler: handler)
        let writer = MappingWriter<_, Output>(base: outbound) { .message(try serializer.write($0)) }
        return try await producer(RPCWriter(wrapping: writer))
      }
      status = (.ok, trailingMetadata)
    } catch {
      let error = RPCError(failureOf: context, error)
      status = (Status(error), error.metadata)
    }
    // A client that is gone needs no status.
    try? await outbound.write(.status(status.0, status.1))
    await outbound.finish()
  }

  /// Has the handler begin its response, and sends the metadata.
  ///
  /// What the beginning takes is in this function's frame, and not in that of the whole call, which
  /// may be open for long.
  ///
  /// - Returns: What writes the messages.
  private static func begin<Bytes: GRPCContiguousBytes & Sendable, Input, Output>(
    _ request: StreamingServerRequest<Input>, context: ServerContext,
    interceptors: [any ServerInterceptor],
    outbound: RPCWriter<RPCResponsePart<Bytes>>.Closable,
    handler:
      @escaping @Sendable (
        StreamingServerRequest<Input>, ServerContext
      ) async throws -> StreamingServerResponse<Output>
  ) async throws -> @Sendable (RPCWriter<Output>) async throws -> Metadata {
    let response =
      interceptors.isEmpty
      ? try await handler(request, context)
      : try await intercept(request, context: context, by: interceptors[...], then: handler)
    let contents = try response.accepted.get()
    try await outbound.write(
      .metadata(contents.metadata), options: WriteOptions(compression: contents.compression))
    return contents.producer
  }

  private static func intercept<Input: Sendable, Output: Sendable>(
    _ request: StreamingServerRequest<Input>, context: ServerContext,
    by interceptors: ArraySlice<any ServerInterceptor>,
    then handler:
      @escaping @Sendable (
        StreamingServerRequest<Input>, ServerContext
      ) async throws -> StreamingServerResponse<Output>
  ) async throws -> StreamingServerResponse<Output> {
    guard let first = interceptors.first else { return try await handler(request, context) }
    do {
      return try await first.intercept(request: request, context: context) { request, context in
        try await intercept(
          request, context: context, by: interceptors.dropFirst(), then: handler)
      }
    } catch {
      // So that interceptors further out see a response, whatever failed.
      return StreamingServerResponse(error: RPCError(failureOf: context, error))
    }
  }
}

/// The messages of a request, deserialized one by one.
private final class RequestMessages<
  Bytes: GRPCContiguousBytes & Sendable, Deserializer: MessageDeserializer
>: RPCInboundSource<Deserializer.Message>, @unchecked Sendable
where Deserializer.Message: Sendable {
  // `@unchecked` holds because a source is read by one task at a time.
  private var parts: RPCAsyncSequence<RPCRequestPart<Bytes>, any Error>.AsyncIterator
  private let deserializer: Deserializer

  init(
    _ parts: RPCAsyncSequence<RPCRequestPart<Bytes>, any Error>.AsyncIterator,
    deserializer: Deserializer
  ) {
    self.parts = parts
    self.deserializer = deserializer
  }

  override func next() async throws -> Deserializer.Message? {
    switch try await parts.next(isolation: nil) {
    case .message(let bytes): return try deserializer.read(bytes)
    case .metadata:
      throw RPCError(code: .internalError, message: "Metadata came in the middle of the request.")
    case nil: return nil
    }
  }

  override var latestIsCompressed: Bool { parts.latestIsCompressed }
}

extension RPCError {
  /// What a handler's error means for its call: once the call is cancelled, whatever the handler
  /// throws is due to that.
  fileprivate init(failureOf context: ServerContext, _ error: any Error) {
    if error is CancellationError, context.cancellation.isCancelled,
      let deadline = context.deadline, deadline <= .now
    {
      self.init(
        code: .deadlineExceeded, message: "The deadline passed before the call ended.",
        cause: error)
    } else {
      self.init(catching: error, unknown: "The handler failed.")
    }
  }
}

extension MessageDeserializer {
  /// Reads a message; bytes that can't be read are INTERNAL, as gRPC's status-code table has it.
  @inlinable
  func read(_ bytes: some GRPCContiguousBytes) throws(RPCError) -> Message {
    do {
      return try deserialize(bytes)
    } catch let error as RPCError {
      throw error
    } catch {
      throw RPCError(
        code: .internalError, message: "A message could not be read: \(error)", cause: error)
    }
  }
}

extension MessageSerializer {
  /// Writes a message; one that can't be written is INTERNAL.
  @inlinable
  func write<Bytes: GRPCContiguousBytes>(_ message: Message) throws(RPCError) -> Bytes {
    do {
      return try serialize(message)
    } catch let error as RPCError {
      throw error
    } catch {
      throw RPCError(
        code: .internalError, message: "A message could not be written: \(error)", cause: error)
    }
  }
}
