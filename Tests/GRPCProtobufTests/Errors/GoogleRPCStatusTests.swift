import GRPCCore
import GRPCInProcessTransport
import GRPCProtobuf
import SwiftProtobuf
import Testing

@Suite struct GoogleRPCStatusTests {
  private static let status = GoogleRPCStatus(
    code: .failedPrecondition, message: "The race is over.",
    details: ErrorDetailsTests.standard.map(\.details))
  private static let method = MethodDescriptor(fullyQualifiedService: "test.Rich", method: "Fail")

  @Test func aStatusIsWrittenAndRead() throws {
    let bytes = try Self.status.serializedBytes()
    #expect(try GoogleRPCStatus(serializedBytes: bytes) == Self.status)
  }

  @Test func aStatusOfSuccessOrOfNoKnownCodeIsNoFailure() throws {
    for code: Int32 in [0, 17, -1] {
      let bytes: [UInt8] = try Google_Rpc_Status.with { $0.code = code }.serializedBytes()
      let error = #expect(throws: RPCError.self) { try GoogleRPCStatus(serializedBytes: bytes) }
      #expect(error?.code == .internalError)
    }
    #expect(throws: BinaryDecodingError.self) { try GoogleRPCStatus(serializedBytes: [0x08]) }
  }

  @Test func anErrorWithoutDetailsHasNone() throws {
    #expect(try RPCError(code: .aborted, message: "").unpackGoogleRPCStatus() == nil)
    #expect(throws: BinaryDecodingError.self) {
      try RPCError(
        code: .aborted, message: "", metadata: ["grpc-status-details-bin": .binary([0x08])]
      ).unpackGoogleRPCStatus()
    }
  }

  /// Thrown at once, or after a message: both ways end at the client.
  @Test(arguments: [false, true]) func whatAHandlerThrowsIsWhatAClientFinds(late: Bool) async throws
  {
    let transport = InProcessTransport()
    var router = RPCRouter<InProcessTransport.Server>()
    router.registerHandler(
      forMethod: Self.method, deserializer: ProtobufDeserializer<Google_Protobuf_Empty>(),
      serializer: ProtobufSerializer<Google_Protobuf_Empty>()
    ) { _, _ in
      guard late else { throw Self.status }
      return StreamingServerResponse { writer in
        try await writer.write(Google_Protobuf_Empty())
        throw Self.status
      }
    }
    let server = GRPCServer(transport: transport.server, router: router)
    try await withThrowingDiscardingTaskGroup { group in
      group.addTask { try await server.serve() }
      let error = try await withGRPCClient(transport: transport.client) { client in
        try await client.serverStreaming(
          request: ClientRequest(message: Google_Protobuf_Empty()), descriptor: Self.method,
          serializer: ProtobufSerializer(),
          deserializer: ProtobufDeserializer<Google_Protobuf_Empty>(), options: .defaults
        ) { response in
          await #expect(throws: RPCError.self) { for try await _ in response.messages {} }
        }
      }
      server.beginGracefulShutdown()
      #expect(error?.code == Self.status.code)
      #expect(error?.message == Self.status.message)
      #expect(try error?.unpackGoogleRPCStatus() == Self.status)
    }
  }
}
