import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

/// Calls of all four kinds to a service that echoes bytes.
struct EchoClient {
  let client: GRPCClient<HTTP2ClientTransport>
  var transport: HTTP2ClientTransport?

  static func method(_ name: String) -> MethodDescriptor {
    MethodDescriptor(fullyQualifiedService: "test.Echo", method: name)
  }

  func unary(
    _ message: [UInt8], metadata: Metadata = [:], options: CallOptions = .defaults
  ) async throws -> ClientResponse<[UInt8]> {
    try await client.unary(
      request: ClientRequest(message: message, metadata: metadata),
      descriptor: Self.method("Unary"), serializer: ByteSerializer(),
      deserializer: ByteDeserializer(), options: options
    ) { $0 }
  }

  /// The message that comes back.
  func echo(_ message: [UInt8], options: CallOptions = .defaults) async throws -> [UInt8] {
    try await unary(message, options: options).message
  }

  /// Expects a message to come back.
  func expectEcho(
    of message: [UInt8], options: CallOptions = .defaults,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let echo = try await echo(message, options: options)
    #expect(echo == message, sourceLocation: sourceLocation)
  }

  /// Asks for a number of messages of 1000 bytes.
  func expand<Result: Sendable>(
    _ count: Int, options: CallOptions = .defaults,
    _ body: @escaping @Sendable (StreamingClientResponse<[UInt8]>) async throws -> Result
  ) async throws -> Result {
    try await client.serverStreaming(
      request: ClientRequest(message: Array("\(count)".utf8)), descriptor: Self.method("Expand"),
      serializer: ByteSerializer(), deserializer: ByteDeserializer(), options: options,
      onResponse: body)
  }

  /// Sends messages and gets the number of their bytes.
  func collect(
    options: CallOptions = .defaults,
    _ producer: @escaping @Sendable (RPCWriter<[UInt8]>) async throws -> Void
  ) async throws -> ClientResponse<[UInt8]> {
    try await client.clientStreaming(
      request: StreamingClientRequest(producer: producer), descriptor: Self.method("Collect"),
      serializer: ByteSerializer(), deserializer: ByteDeserializer(), options: options
    ) { $0 }
  }

  /// Gets each message back.
  func bidirectional<Result: Sendable>(
    options: CallOptions = .defaults,
    _ producer: @escaping @Sendable (RPCWriter<[UInt8]>) async throws -> Void,
    _ body: @escaping @Sendable (StreamingClientResponse<[UInt8]>) async throws -> Result
  ) async throws -> Result {
    try await client.bidirectionalStreaming(
      request: StreamingClientRequest(producer: producer), descriptor: Self.method("Bidi"),
      serializer: ByteSerializer(), deserializer: ByteDeserializer(), options: options,
      onResponse: body)
  }
}
