import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

/// Compressed messages between our client and our server.
@Suite(.timeLimit(.minutes(1))) struct CompressedCallTests {
  private static let message = [UInt8](repeating: 7, count: 10_000)

  /// Answers with whether each request came compressed.
  private static let inspector = FilledService(bidirectional: { request, _ in
    StreamingServerResponse { writer in
      var messages = request.messages.makeAsyncIterator()
      while try await messages.next() != nil {
        try await writer.write([messages.latestIsCompressed ? 1 : 0])
      }
      return [:]
    }
  })

  private func options(_ compression: CompressionAlgorithm?) -> CallOptions {
    var options = CallOptions.defaults
    options.compression = compression
    return options
  }

  private func inspect(
    _ client: EchoClient, _ compression: CompressionAlgorithm?, plain: Set<Int> = []
  ) async throws -> [UInt8] {
    try await client.bidirectional(options: options(compression)) { writer in
      for number in 0..<4 {
        let own = plain.contains(number) ? CompressionAlgorithm.none : nil
        try await writer.write(Self.message, options: WriteOptions(compression: own))
      }
    } _: { response in
      try await response.messages.reduce(into: []) { $0 += $1 }
    }
  }

  @Test func aCallsOptionsCompressItsRequest() async throws {
    try await EchoCalls(services: [Self.inspector]).run { (client, _) async throws in
      #expect(try await inspect(client, .gzip) == [1, 1, 1, 1])
      #expect(try await inspect(client, .deflate) == [1, 1, 1, 1])
      #expect(try await inspect(client, CompressionAlgorithm.none) == [0, 0, 0, 0])
      #expect(try await inspect(client, nil) == [0, 0, 0, 0])
    }
  }

  @Test func aMessageMayGoUncompressed() async throws {
    try await EchoCalls(services: [Self.inspector]).run { (client, _) async throws in
      #expect(try await inspect(client, .gzip, plain: [0, 2]) == [0, 1, 0, 1])
    }
  }

  @Test func aClientsConfigurationCompressesRequests() async throws {
    var calls = EchoCalls(services: [Self.inspector])
    calls.client.compression.algorithm = .gzip
    try await calls.run { (client, _) async throws in
      #expect(try await inspect(client, nil) == [1, 1, 1, 1])
      #expect(try await inspect(client, CompressionAlgorithm.none) == [0, 0, 0, 0])
    }
  }

  @Test(arguments: [CompressionAlgorithm.gzip, .deflate])
  func compressedMessagesAreWhole(algorithm: CompressionAlgorithm) async throws {
    var calls = EchoCalls()
    calls.server.compression.algorithm = algorithm
    try await calls.run { (client, _) async throws in
      let large = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 1000) }
      #expect(try await client.echo(large, options: options(algorithm)) == large)
      #expect(try await client.echo([], options: options(algorithm)) == [])
      let total = try await client.collect(options: options(algorithm)) { writer in
        for _ in 0..<100 { try await writer.write(Self.message) }
      }
      #expect(try total.message == Array("1000000".utf8))
    }
  }

  /// Which of the response's messages came compressed.
  private func responses(_ client: EchoClient) async throws -> [Bool] {
    try await client.expand(3) { response in
      var messages = response.messages.makeAsyncIterator()
      var flags: [Bool] = []
      while try await messages.next() != nil { flags.append(messages.latestIsCompressed) }
      return flags
    }
  }

  @Test func aServersConfigurationCompressesResponsesForThoseWhoKnow() async throws {
    var calls = EchoCalls()
    calls.server.compression.algorithm = .gzip
    try await calls.run { (client, _) async throws in
      #expect(try await responses(client) == [true, true, true])
    }
    calls.client.compression.enabledAlgorithms = .deflate
    try await calls.run { (client, _) async throws in
      #expect(try await responses(client) == [false, false, false])
    }
    calls.client.compression = .none
    try await calls.run { (client, _) async throws in
      #expect(try await responses(client) == [false, false, false])
    }
  }

  @Test(arguments: [false, true]) func aHandlerCompressesItsResponse(isUnary: Bool) async throws {
    let service = FilledService(
      unary: { request, _ in
        var contents = ServerResponse<[UInt8]>.Contents(message: request.message)
        contents.compression = .gzip
        return ServerResponse(accepted: .success(contents))
      },
      bidirectional: { request, _ in
        var contents = StreamingServerResponse<[UInt8]>.Contents(metadata: [:]) { writer in
          try await writer.write(Self.message)
          try await writer.write(
            Self.message, options: WriteOptions(compression: CompressionAlgorithm.none))
          return [:]
        }
        contents.compression = .deflate
        return StreamingServerResponse(accepted: .success(contents))
      })
    try await EchoCalls(services: [service]).run { (client, _) async throws in
      let flags = try await client.client.serverStreaming(
        request: ClientRequest(message: Self.message),
        descriptor: EchoClient.method(isUnary ? "Unary" : "Bidi"), serializer: ByteSerializer(),
        deserializer: ByteDeserializer(), options: .defaults
      ) { response in
        var messages = response.messages.makeAsyncIterator()
        var flags: [Bool] = []
        while let message = try await messages.next() {
          #expect(message == Self.message)
          flags.append(messages.latestIsCompressed)
        }
        return flags
      }
      #expect(flags == (isUnary ? [true] : [true, false]))
    }
  }

  @Test func aServerRefusesWhatItDoesNotKnow() async throws {
    var calls = EchoCalls()
    calls.server.compression.enabledAlgorithms = .deflate
    try await calls.run { (client, _) async throws in
      let error = await #expect(throws: RPCError.self) {
        try await client.echo(Self.message, options: options(.gzip))
      }
      #expect(error?.code == .unimplemented)
      #expect(error?.message.contains("identity,deflate") == true)
      #expect(try await client.echo(Self.message, options: options(.deflate)) == Self.message)
    }
  }

  /// The limits count what a message becomes, whatever it is on the wire.
  @Test func limitsAreOfWhatIsDecompressed() async throws {
    var calls = EchoCalls()
    calls.server.maxRequestMessageBytes = 10_000
    calls.server.compression.algorithm = .gzip
    try await calls.run { (client, _) async throws in
      #expect(try await client.echo(Self.message, options: options(.gzip)) == Self.message)
      let tooLarge = await #expect(throws: RPCError.self) {
        try await client.echo(Self.message + [7], options: options(.gzip))
      }
      #expect(tooLarge?.code == .resourceExhausted)
      var small = CallOptions.defaults
      small.maxResponseMessageBytes = 9_999
      let response = await #expect(throws: RPCError.self) {
        try await client.echo(Self.message, options: small)
      }
      #expect(response?.code == .resourceExhausted)
      // A bomb of a thousand times its size.
      let bomb = await #expect(throws: RPCError.self) {
        try await client.echo([UInt8](repeating: 0, count: 4_000_000), options: options(.gzip))
      }
      #expect(bomb?.code == .resourceExhausted)
      #expect(try await client.echo([1]) == [1])
    }
  }
}
