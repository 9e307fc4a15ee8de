/// Runs one call of a server: reads the request, calls the handler, writes what it answers.
///
/// What a method's call runs through can be inlined, so that it is compiled for the method's types
/// where those are known, which is where it is registered.
@usableFromInline
enum ServerCallExecutor {
  /// How a call is handled as a stream that interceptors see first.
  @usableFromInline
  typealias StreamHandler =
    @Sendable (_ interceptors: [any ServerInterceptor]) ->
    RPCRoute.StreamHandler

  /// How a call with one message each way is handled.
  @inlinable
  static func unaryHandler<Input: Sendable, Output: Sendable>(
    deserializer: some MessageDeserializer<Input>, serializer: some MessageSerializer<Output>,
    handler:
      @escaping @Sendable (
        ServerRequest<Input>, ServerContext
      ) async throws -> ServerResponse<Output>
  ) -> RPCRoute.UnaryHandler {
    { metadata, message, context in
      do {
        let request = ServerRequest(metadata: metadata, message: try deserializer.read(message))
        let response = try await ServerContext.$current.withValue(context) {
          try await handler(request, context)
        }
        let contents = try response.accepted.get()
        var reply = UnaryReply(
          message: try serializer.write(contents.message), metadata: contents.metadata,
          trailingMetadata: contents.trailingMetadata)
        reply.compression = contents.compression
        return reply
      } catch {
        return UnaryReply(error: RPCError(failureOf: context, error))
      }
    }
  }

  /// How a call is handled as a stream.
  @inlinable
  static func streamHandler<Input: Sendable, Output: Sendable>(
    deserializer: some MessageDeserializer<Input>, serializer: some MessageSerializer<Output>,
    handler:
      @escaping @Sendable (
        StreamingServerRequest<Input>, ServerContext
      ) async throws -> StreamingServerResponse<Output>
  ) -> StreamHandler {
    { interceptors in
      { stream, context in
        let stream = stream
        let messages = ResponseMessages<Output>(to: stream.outbound) { try serializer.write($0) }
        let end: CallEnd
        do {
          let producer = try await begin(
            stream, context, deserializer: deserializer, interceptors: interceptors,
            handler: handler)
          end = CallEnd(
            try await ServerContext.$current.withValue(context) {
              try await producer(RPCWriter(messages))
            })
        } catch {
          end = CallEnd(failureOf: context, error)
        }
        await messages.finish(end)
      }
    }
  }

  /// Has the handler begin its response, and sends the metadata.
  ///
  /// What the beginning takes is in this function's frame, and not in that of the whole call, which
  /// may be open for long.
  ///
  /// - Returns: What writes the messages.
  @inlinable
  @inline(never)
  static func begin<Input: Sendable, Output: Sendable>(
    _ stream: consuming RPCRoute.Stream, _ context: ServerContext,
    deserializer: some MessageDeserializer<Input>, interceptors: [any ServerInterceptor],
    handler:
      @escaping @Sendable (
        StreamingServerRequest<Input>, ServerContext
      ) async throws -> StreamingServerResponse<Output>
  ) async throws -> @Sendable (RPCWriter<Output>) async throws -> Metadata {
    let stream = stream
    let parts = stream.inbound.asSource()
    guard case .metadata(let metadata)? = try await parts.next() else {
      throw RPCError(code: .internalError, message: "The call did not begin with its metadata.")
    }
    let request = StreamingServerRequest(
      metadata: metadata,
      messages: RPCAsyncSequence(RequestMessages(from: parts) { try deserializer.read($0) }))
    let response = try await ServerContext.$current.withValue(context) {
      interceptors.isEmpty
        ? try await handler(request, context)
        : try await intercept(request, context: context, by: interceptors[...], then: handler)
    }
    let contents = try response.accepted.get()
    try await stream.outbound.write(
      .metadata(contents.metadata), options: WriteOptions(compression: contents.compression))
    return contents.producer
  }

  @usableFromInline
  static func intercept<Input: Sendable, Output: Sendable>(
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

/// How a streaming call ends. Made and written out of line: what that takes is not to be in the frame of the call
/// while it is open.
@usableFromInline
struct CallEnd {
  let status: Status
  let metadata: Metadata

  @usableFromInline
  @inline(never)
  init(_ trailingMetadata: Metadata) {
    status = .ok
    metadata = trailingMetadata
  }

  @usableFromInline
  @inline(never)
  init(failureOf context: ServerContext, _ error: any Error) {
    let error = RPCError(failureOf: context, error)
    status = Status(error)
    metadata = error.metadata
  }
}

extension ResponseMessages {
  @usableFromInline
  @inline(never)
  func finish(_ end: CallEnd) async {
    // A client that is gone needs no status.
    try? await parts.write(.status(end.status, end.metadata))
    await parts.finish()
  }
}

extension RPCError {
  /// What a handler's error means for its call: once the call is cancelled, whatever the handler
  /// throws is due to that.
  @usableFromInline
  init(failureOf context: ServerContext, _ error: any Error) {
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
