import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

/// Metadata that no header field can carry: whoever made it is told, and nothing is left out in silence.
@Suite(.timeLimit(.minutes(1))) struct FlawedMetadataTests {
  static let flawed: [(metadata: Metadata, names: String)] = [
    (["grpc-status": "13"], "grpc-status"), (["grpc-timeout": "1n"], "grpc-timeout"),
    (["te": "gzip"], "te"), (["content-type": "text/plain"], "content-type"),
    (["Connection": "close"], "Connection"), ([":path": "/other"], ":path"), (["": "x"], "“”"),
    (["x a": "b"], "x a"), (["x-é": "b"], "x-é"), (["x-a": "b\nc: d"], "x-a"),
    (["x-a": "é"], "x-a"), (["x-a": .binary([1])], "x-a"), (["x-a-bin": "*"], "x-a-bin"),
  ]

  private static let good: Metadata = [
    "X-Upper": "a", "x-1_2.3": " ~ a ", "x-b-bin": .binary([0xff]), "x-c-bin": "AA==,AQ",
    "x-empty": "",
  ]

  @Test(arguments: flawed.indices) func aCallWithItFails(index: Int) async throws {
    let (metadata, names) = Self.flawed[index]
    try await EchoCalls().run { (client, _) async throws in
      let unary = try await client.unary([1], metadata: metadata)
      let error = #expect(throws: RPCError.self) { try unary.message }
      #expect(error?.code == .internalError)
      #expect(error?.message.contains(names) == true, "\(error?.message ?? "")")
      let streaming = await #expect(throws: RPCError.self) {
        try await client.client.clientStreaming(
          request: StreamingClientRequest(metadata: metadata) { _ in },
          descriptor: EchoClient.method("Collect"), serializer: ByteSerializer(),
          deserializer: ByteDeserializer(), options: .defaults
        ) { try $0.message }
      }
      #expect(streaming == error)
      #expect(try await client.echo([1]) == [1])
    }
  }

  @Test(arguments: flawed.indices) func aResponseWithItFails(index: Int) async throws {
    let (metadata, names) = Self.flawed[index]
    let service = FilledService(
      unary: { request, _ in
        switch request.message.first {
        case 1: ServerResponse(message: [], metadata: metadata)
        case 2: ServerResponse(message: [], trailingMetadata: metadata)
        default: throw RPCError(code: .aborted, message: "", metadata: metadata)
        }
      },
      bidirectional: { request, _ in
        StreamingServerResponse { writer in
          try await writer.write([1])
          return metadata
        }
      })
    try await EchoCalls(services: [service]).run { (client, _) async throws in
      for place: UInt8 in [1, 2] {
        let error = await #expect(throws: RPCError.self) { try await client.echo([place]) }
        #expect(error?.code == .internalError)
        #expect(error?.message.contains(names) == true, "\(error?.message ?? "")")
      }
      let streaming = await #expect(throws: RPCError.self) {
        try await client.bidirectional { _ in
        } _: { response in
          for try await message in response.messages { #expect(message == [1]) }
        }
      }
      #expect(streaming?.code == .internalError)
      // An error is worth more than what it carries.
      let error = await #expect(throws: RPCError.self) { try await client.echo([3]) }
      #expect(error?.code == .aborted)
    }
  }

  @Test func whatAHeaderFieldCanCarryArrives() async throws {
    try await EchoCalls().run { (client, _) async throws in
      let response = try await client.unary([1], metadata: Self.good)
      #expect(Array(response.metadata[stringValues: "x-upper"]) == ["a"])
      #expect(Array(response.metadata[stringValues: "x-1_2.3"]) == ["~ a"])
      #expect(Array(response.metadata[binaryValues: "x-b-bin"]) == [[0xff]])
      #expect(Array(response.metadata[binaryValues: "x-c-bin"]) == [[0], [1]])
      #expect(Array(response.metadata[stringValues: "x-empty"]) == [""])
    }
  }
}
