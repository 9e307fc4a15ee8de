import GRPCCore

/// Sends back what it is sent, in each of the four kinds of calls.
struct EchoService: RegistrableRPCService {
  func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
    for method in [Echo.unary, Echo.scheduleUnary] {
      router.registerUnaryHandler(
        forMethod: method, deserializer: Echo.coder, serializer: Echo.coder
      ) { request, _ in
        ServerResponse(message: request.message)
      }
    }
    router.registerUnaryHandler(
      forMethod: Echo.allocations, deserializer: Echo.coder, serializer: Echo.coder
    ) { _, _ in
      ServerResponse(message: Array("\(Allocations.count())".utf8))
    }
    register(Echo.clientStream, with: &router) { messages, writer in
      var last: [UInt8] = []
      for try await message in messages { last = message }
      try await writer.write(last)
    }
    register(Echo.serverStream, with: &router) { messages, writer in
      for try await message in messages {
        for _ in 0..<Echo.count(in: message) { try await writer.write(message) }
      }
    }
    register(Echo.bidirectional, with: &router) { messages, writer in
      for try await message in messages { try await writer.write(message) }
    }
  }

  private func register<Transport: ServerTransport>(
    _ method: MethodDescriptor, with router: inout RPCRouter<Transport>,
    echo:
      @escaping @Sendable (
        _ messages: RPCAsyncSequence<[UInt8], any Error>, _ writer: RPCWriter<[UInt8]>
      ) async throws -> Void
  ) {
    router.registerHandler(
      forMethod: method, deserializer: Echo.coder, serializer: Echo.coder
    ) { request, _ in
      StreamingServerResponse { writer in
        try await echo(request.messages, writer)
        return [:]
      }
    }
  }
}
