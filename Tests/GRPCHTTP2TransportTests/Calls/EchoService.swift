import GRPCCore

/// What ``EchoClient`` calls.
struct EchoService: RegistrableRPCService {
  /// The metadata of a response: that of its request.
  func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
    router.registerUnaryHandler(
      forMethod: EchoClient.method("Unary"), deserializer: ByteDeserializer(),
      serializer: ByteSerializer()
    ) { request, _ in
      ServerResponse(
        message: request.message, metadata: request.metadata, trailingMetadata: request.metadata)
    }
    register("Expand", with: &router) { messages, writer in
      for try await message in messages {
        let count = Int(String(decoding: message, as: UTF8.self)) ?? 0
        for number in 0..<count {
          try await writer.write([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 1000))
        }
      }
    }
    register("Collect", with: &router) { messages, writer in
      var count = 0
      for try await message in messages { count += message.count }
      try await writer.write(Array("\(count)".utf8))
    }
    register("Bidi", with: &router) { messages, writer in
      for try await message in messages { try await writer.write(message) }
    }
  }

  private func register<Transport: ServerTransport>(
    _ name: String, with router: inout RPCRouter<Transport>,
    handler:
      @escaping @Sendable (RPCAsyncSequence<[UInt8], any Error>, RPCWriter<[UInt8]>) async throws ->
      Void
  ) {
    router.registerHandler(
      forMethod: EchoClient.method(name), deserializer: ByteDeserializer(),
      serializer: ByteSerializer()
    ) { request, _ in
      StreamingServerResponse(metadata: request.metadata) { writer in
        try await handler(request.messages, writer)
        return request.metadata
      }
    }
  }
}
