import GRPCCore

/// Sends back what it is sent, in each of the four kinds of calls.
struct EchoService: RegistrableRPCService {
  private static let coder = BytesCoder()
  /// How many messages a server stream has for one request.
  private static let streamLength = 1000

  func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
    router.registerUnaryHandler(
      forMethod: Self.method("Unary", .unary), deserializer: Self.coder, serializer: Self.coder
    ) { request, _ in
      ServerResponse(message: request.message)
    }
    register("ClientStream", .clientStreaming, with: &router) { messages, writer in
      var last: [UInt8] = []
      for try await message in messages { last = message }
      try await writer.write(last)
    }
    register("ServerStream", .serverStreaming, with: &router) { messages, writer in
      for try await message in messages {
        for _ in 0..<Self.streamLength { try await writer.write(message) }
      }
    }
    register("Bidirectional", .bidirectionalStreaming, with: &router) { messages, writer in
      for try await message in messages { try await writer.write(message) }
    }
  }

  private func register<Transport: ServerTransport>(
    _ name: String, _ type: MethodDescriptor.RPCType, with router: inout RPCRouter<Transport>,
    echo:
      @escaping @Sendable (
        _ messages: RPCAsyncSequence<[UInt8], any Error>, _ writer: RPCWriter<[UInt8]>
      ) async throws -> Void
  ) {
    router.registerHandler(
      forMethod: Self.method(name, type), deserializer: Self.coder, serializer: Self.coder
    ) { request, _ in
      StreamingServerResponse { writer in
        try await echo(request.messages, writer)
        return [:]
      }
    }
  }

  private static func method(
    _ name: String, _ type: MethodDescriptor.RPCType
  ) -> MethodDescriptor {
    MethodDescriptor(fullyQualifiedService: "bench.Echo", method: name, type: type)
  }
}
