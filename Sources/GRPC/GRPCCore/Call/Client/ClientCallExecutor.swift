/// Makes one call of a client: writes the request, reads what the server answers.
@usableFromInline
enum ClientCallExecutor {
  /// Makes a call of one message each way, without a stream where the transport has a shorter way.
  ///
  /// It can be inlined, so that it is compiled for the call's types where those are known.
  @inlinable
  nonisolated(nonsending) static func executeUnary<Transport: ClientTransport, Request, Response>(
    request: ClientRequest<Request>, descriptor: MethodDescriptor, transport: Transport,
    serializer: some MessageSerializer<Request>, deserializer: some MessageDeserializer<Response>,
    options: CallOptions
  ) async -> ClientResponse<Response> {
    do {
      let bytes: Transport.Bytes = try serializer.write(request.message)
      let outcome = await transport.unary(
        descriptor: descriptor, options: options, metadata: request.metadata, message: bytes)
      switch outcome {
      case .accepted(let answer):
        switch answer.message {
        case .success(let bytes):
          return ClientResponse(
            message: try deserializer.read(bytes), metadata: answer.metadata,
            trailingMetadata: answer.trailingMetadata)
        case .failure(let error):
          return ClientResponse(metadata: answer.metadata, error: error)
        }
      case .rejected(let error):
        return ClientResponse(error: error)
      }
    } catch {
      return ClientResponse(error: RPCError(catching: error, unknown: "The call failed."))
    }
  }

  /// Makes a call of one request and any number of responses: all in one task.
  @inlinable
  static func executeServerStreaming<
    Transport: ClientTransport, Request, Response, Result: Sendable
  >(
    request: ClientRequest<Request>, descriptor: MethodDescriptor, transport: Transport,
    serializer: some MessageSerializer<Request>, deserializer: some MessageDeserializer<Response>,
    options: CallOptions,
    onResponse: @Sendable @escaping (StreamingClientResponse<Response>) async throws -> Result
  ) async throws -> Result where Response: Sendable {
    try await onStream(
      descriptor: descriptor, transport: transport, options: options, onResponse: onResponse
    ) { stream, _ in
      let bytes: Transport.Bytes
      do throws(RPCError) {
        bytes = try serializer.write(request.message)
      } catch {
        // The call has not begun, so that nothing but this ends it.
        await stream.outbound.finish(throwing: error)
        return try await onResponse(StreamingClientResponse(error: error))
      }
      do {
        try await stream.outbound.write(.metadata(request.metadata))
        try await stream.outbound.write(.message(bytes))
        await stream.outbound.finish()
      } catch {
        // The stream has ended; what was read of it says why.
      }
      return try await onResponse(
        await receive(stream.inbound.responseSource(), deserializer: deserializer))
    }
  }

  /// Makes a call whose request is written while its response is read.
  @usableFromInline
  static func execute<Transport: ClientTransport, Request: Sendable, Response, Result: Sendable>(
    request: StreamingClientRequest<Request>, descriptor: MethodDescriptor, transport: Transport,
    serializer: some MessageSerializer<Request>, deserializer: some MessageDeserializer<Response>,
    options: CallOptions, interceptors: [any ClientInterceptor],
    onResponse: @Sendable @escaping (StreamingClientResponse<Response>) async throws -> Result
  ) async throws -> Result where Response: Sendable {
    try await onStream(
      descriptor: descriptor, transport: transport, options: options, onResponse: onResponse
    ) { stream, context in
      try await withThrowingTaskGroup(of: Void.self) { group in
        defer { group.cancelAll() }
        let response = await intercept(
          request, context: context, by: interceptors[...], in: &group
        ) { request, _, group in
          group.addTask { await send(request, to: stream.outbound, serializer: serializer) }
          return await receive(stream.inbound.responseSource(), deserializer: deserializer)
        }
        return try await onResponse(response)
      }
    }
  }

  /// Opens a stream; where none can be had, the response says so.
  @inlinable
  static func onStream<Transport: ClientTransport, Response, Result: Sendable>(
    descriptor: MethodDescriptor, transport: Transport, options: CallOptions,
    onResponse: @Sendable (StreamingClientResponse<Response>) async throws -> Result,
    _ body: (
      RPCStream<Transport.Inbound, Transport.Outbound>, ClientContext
    ) async throws -> Result
  ) async throws -> Result {
    var wasOpened = false
    do {
      return try await transport.withStream(descriptor: descriptor, options: options) {
        stream, context in
        wasOpened = true
        return try await body(stream, context)
      }
    } catch let error as RPCError where !wasOpened {
      return try await onResponse(StreamingClientResponse(error: error))
    } catch let error as CancellationError where !wasOpened {
      return try await onResponse(
        StreamingClientResponse(error: RPCError(catching: error, unknown: "The call failed.")))
    }
  }

  private static func intercept<Input: Sendable, Output: Sendable>(
    _ request: StreamingClientRequest<Input>, context: ClientContext,
    by interceptors: ArraySlice<any ClientInterceptor>,
    in group: inout ThrowingTaskGroup<Void, any Error>,
    then send: (
      StreamingClientRequest<Input>, ClientContext, inout ThrowingTaskGroup<Void, any Error>
    ) async -> StreamingClientResponse<Output>
  ) async -> StreamingClientResponse<Output> {
    guard let first = interceptors.first else { return await send(request, context, &group) }
    do {
      return try await first.intercept(request: request, context: context) { request, context in
        await intercept(
          request, context: context, by: interceptors.dropFirst(), in: &group, then: send)
      }
    } catch {
      return StreamingClientResponse(
        error: RPCError(catching: error, unknown: "An interceptor failed."))
    }
  }

  private static func send<Bytes: GRPCContiguousBytes & Sendable, Request: Sendable>(
    _ request: StreamingClientRequest<Request>,
    to outbound: RPCWriter<RPCRequestPart<Bytes>>.Closable,
    serializer: some MessageSerializer<Request>
  ) async {
    do {
      try await outbound.write(.metadata(request.metadata))
      let writer = MappingWriter<_, Request>(base: outbound) { .message(try serializer.write($0)) }
      try await request.producer(RPCWriter(wrapping: writer))
      await outbound.finish()
    } catch {
      await outbound.finish(throwing: error)
    }
  }

  @inlinable
  static func receive<Response>(
    _ inbound: RPCInboundSource<RPCResponsePart<[UInt8]>>,
    deserializer: some MessageDeserializer<Response>
  ) async -> StreamingClientResponse<Response> where Response: Sendable {
    do {
      let (metadata, parts) = try await head(of: inbound)
      return StreamingClientResponse(
        metadata: metadata,
        bodyParts: RPCAsyncSequence(
          ResponseElements(of: parts) { part in
            switch part {
            case .message(let bytes): .message(try deserializer.read(bytes))
            case .trailers(let metadata): .trailingMetadata(metadata)
            case .end: nil
            }
          }))
    } catch {
      return StreamingClientResponse(
        error: RPCError(catching: error, unknown: "The response could not be read."))
    }
  }

  /// Reads a response's metadata.
  ///
  /// - Returns: The metadata, and what follows.
  @usableFromInline
  static func head(
    of inbound: RPCInboundSource<RPCResponsePart<[UInt8]>>
  ) async throws -> (Metadata, ResponseParts) {
    switch try await inbound.next() {
    case .metadata(let metadata):
      return (metadata, ResponseParts(inbound))
    case .status(let status, let metadata):
      if let error = RPCError(status: status, metadata: metadata) { throw error }
      // Trailers-Only: a response of no messages.
      return ([:], ResponseParts(inbound, trailers: metadata))
    case .message:
      throw RPCError(
        code: .internalError, message: "The server sent a message before its metadata.")
    case nil:
      throw RPCError(code: .internalError, message: "The stream ended without a status.")
    }
  }
}
