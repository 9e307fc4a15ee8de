import GRPCCore
import SwiftProtobuf

/// The methods of `grpc.testing.TestService`.
struct TestService: Grpc_Testing_TestService.ServiceProtocol {
  func emptyCall(
    request: ServerRequest<Grpc_Testing_Empty>, context: ServerContext
  ) async throws -> ServerResponse<Grpc_Testing_Empty> {
    ServerResponse(
      message: Grpc_Testing_Empty(), metadata: EchoMetadata.initial(of: request.metadata),
      trailingMetadata: EchoMetadata.trailing(of: request.metadata))
  }

  func unaryCall(
    request: ServerRequest<Grpc_Testing_SimpleRequest>, context: ServerContext
  ) async throws -> ServerResponse<Grpc_Testing_SimpleResponse> {
    let message = request.message
    try message.responseStatus.throwIfFailed()
    var contents = ServerResponse<Grpc_Testing_SimpleResponse>.Contents(
      message: try .with { $0.payload = try .zeros(asked: message.responseSize) },
      metadata: EchoMetadata.initial(of: request.metadata),
      trailingMetadata: EchoMetadata.trailing(of: request.metadata))
    if message.hasResponseCompressed {
      contents.compression = message.responseCompressed.value ? .gzip : CompressionAlgorithm.none
    }
    return ServerResponse(accepted: .success(contents))
  }

  func cacheableUnaryCall(
    request: ServerRequest<Grpc_Testing_SimpleRequest>, context: ServerContext
  ) async throws -> ServerResponse<Grpc_Testing_SimpleResponse> {
    var response = try await unaryCall(request: request, context: context)
    if case .success(var contents) = response.accepted {
      contents.metadata.addString("max-age=60, public", forKey: "cache-control")
      response.accepted = .success(contents)
    }
    return response
  }

  func streamingOutputCall(
    request: ServerRequest<Grpc_Testing_StreamingOutputCallRequest>, context: ServerContext
  ) async throws -> StreamingServerResponse<Grpc_Testing_StreamingOutputCallResponse> {
    Self.response(to: request.metadata) { writer in
      try await Self.answer(request.message, to: writer)
    }
  }

  func streamingInputCall(
    request: StreamingServerRequest<Grpc_Testing_StreamingInputCallRequest>, context: ServerContext
  ) async throws -> ServerResponse<Grpc_Testing_StreamingInputCallResponse> {
    var messages = request.messages.makeAsyncIterator()
    var size = 0
    while let message = try await messages.next() {
      if message.hasExpectCompressed {
        try message.expectCompressed.check(messages.latestIsCompressed)
      }
      size += message.payload.body.count
    }
    return ServerResponse(
      message: .with { $0.aggregatedPayloadSize = Int32(clamping: size) },
      metadata: EchoMetadata.initial(of: request.metadata),
      trailingMetadata: EchoMetadata.trailing(of: request.metadata))
  }

  func fullDuplexCall(
    request: StreamingServerRequest<Grpc_Testing_StreamingOutputCallRequest>, context: ServerContext
  ) async throws -> StreamingServerResponse<Grpc_Testing_StreamingOutputCallResponse> {
    Self.response(to: request.metadata) { writer in
      for try await message in request.messages { try await Self.answer(message, to: writer) }
    }
  }

  func halfDuplexCall(
    request: StreamingServerRequest<Grpc_Testing_StreamingOutputCallRequest>, context: ServerContext
  ) async throws -> StreamingServerResponse<Grpc_Testing_StreamingOutputCallResponse> {
    Self.response(to: request.metadata) { writer in
      var all: [Grpc_Testing_StreamingOutputCallRequest] = []
      for try await message in request.messages { all.append(message) }
      for message in all { try await Self.answer(message, to: writer) }
    }
  }

  func unimplementedCall(
    request: ServerRequest<Grpc_Testing_Empty>, context: ServerContext
  ) async throws -> ServerResponse<Grpc_Testing_Empty> {
    throw RPCError(code: .unimplemented, message: "No server implements this method.")
  }

  private typealias Output = Grpc_Testing_StreamingOutputCallResponse

  /// A response that may have compressed messages, and echoes metadata.
  private static func response(
    to metadata: Metadata, _ produce: @escaping @Sendable (RPCWriter<Output>) async throws -> Void
  ) -> StreamingServerResponse<Output> {
    var contents = StreamingServerResponse<Output>.Contents(
      metadata: EchoMetadata.initial(of: metadata)
    ) { writer in
      try await produce(writer)
      return EchoMetadata.trailing(of: metadata)
    }
    contents.compression = .gzip
    return StreamingServerResponse(accepted: .success(contents))
  }

  /// Writes what a request asks for.
  private static func answer(
    _ request: Grpc_Testing_StreamingOutputCallRequest, to writer: RPCWriter<Output>
  ) async throws {
    for parameters in request.responseParameters {
      if parameters.intervalUs > 0 {
        try await Task.sleep(for: .microseconds(Int64(parameters.intervalUs)))
      }
      let message = try Output.with { $0.payload = try .zeros(asked: parameters.size) }
      try await writer.write(
        message,
        options: WriteOptions(
          compression: parameters.compressed.value ? nil : CompressionAlgorithm.none))
    }
    try request.responseStatus.throwIfFailed()
  }
}

extension Grpc_Testing_EchoStatus {
  /// Ends the call as the client asked, unless that is with success.
  fileprivate func throwIfFailed() throws(RPCError) {
    guard code != 0 else { return }
    let code = Status.Code(rawValue: Int(code)).flatMap(RPCError.Code.init) ?? .unknown
    throw RPCError(code: code, message: message)
  }
}
