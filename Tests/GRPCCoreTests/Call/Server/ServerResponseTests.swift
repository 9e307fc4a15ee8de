import GRPCCore
import Testing

/// Metadata of a response, whether the call is accepted or refused.
@Suite struct ServerResponseTests {
  private let refusal = RPCError(code: .aborted, message: "Red flag.", metadata: ["lap": "3"])

  @Test func metadataOfOneMessageCanBeChanged() {
    var response = ServerResponse(message: 1, metadata: ["lap": "1"])
    response.metadata.addString("2", forKey: "lap")
    #expect(Array(response.metadata[stringValues: "lap"]) == ["1", "2"])
    #expect((try? response.accepted.get().metadata) == response.metadata)
  }

  @Test func metadataOfMessagesCanBeChanged() {
    var response = StreamingServerResponse(of: Int.self, metadata: ["lap": "1"]) { _ in [:] }
    response.metadata = ["lap": "2"]
    #expect((try? response.accepted.get().metadata) == ["lap": "2"])
  }

  @Test func metadataOfARefusalIsTheErrors() {
    var response = ServerResponse(of: Int.self, error: refusal)
    #expect(response.metadata == ["lap": "3"])
    response.metadata = ["lap": "4"]
    var expected = refusal
    expected.metadata = ["lap": "4"]
    #expect(throws: expected) { try response.accepted.get() }

    var streaming = StreamingServerResponse(of: Int.self, error: refusal)
    streaming.metadata = ["lap": "5"]
    expected.metadata = ["lap": "5"]
    #expect(throws: expected) { try streaming.accepted.get() }
  }
}
