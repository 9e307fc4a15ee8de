import GRPCCore
import GRPCHTTP2Transport

/// Calls whose messages are bytes, of a server that sends them back.
struct ByteCalls: Sendable {
  let client: GRPCClient<HTTP2ClientTransport>
  var options: CallOptions = {
    var options = CallOptions.defaults
    options.waitForReady = true
    options.timeout = .seconds(30)
    return options
  }()

  private struct Coding: MessageSerializer, MessageDeserializer {
    func serialize<Bytes: GRPCContiguousBytes>(_ message: [UInt8]) throws -> Bytes {
      Bytes(message)
    }

    func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) throws -> [UInt8] {
      bytes.withUnsafeBytes { Array($0) }
    }
  }

  private static func method(_ name: String) -> MethodDescriptor {
    MethodDescriptor(fullyQualifiedService: "test.Echo", method: name)
  }

  func unary(_ message: [UInt8]) async throws -> ClientResponse<[UInt8]> {
    try await client.unary(
      request: ClientRequest(message: message), descriptor: Self.method("Unary"),
      serializer: Coding(), deserializer: Coding(), options: options
    ) { $0 }
  }

  /// Sends messages and gets as many back, each before the next is sent.
  func bidirectional(_ count: UInt8) async throws -> [UInt8] {
    let (turns, turn) = AsyncStream.makeStream(of: UInt8.self)
    turn.yield(0)
    return try await client.bidirectionalStreaming(
      request: StreamingClientRequest { writer in
        for await number in turns { try await writer.write([number]) }
      }, descriptor: Self.method("Bidi"), serializer: Coding(), deserializer: Coding(),
      options: options
    ) { response in
      var numbers: [UInt8] = []
      for try await message in response.messages {
        numbers += message
        if numbers.count < count { turn.yield(UInt8(numbers.count)) } else { turn.finish() }
      }
      return numbers
    }
  }
}
