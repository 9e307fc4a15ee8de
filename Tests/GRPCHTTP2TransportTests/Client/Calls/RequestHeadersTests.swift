import CNghttp2
import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

@Suite struct RequestHeadersTests {
  private func fields(_ list: HeaderList) -> [String: String] {
    list.withFields { fields, count in
      let fields = UnsafeBufferPointer(start: fields, count: count).map { field in
        (
          String(
            decoding: UnsafeBufferPointer(start: field.name, count: field.namelen), as: UTF8.self),
          String(
            decoding: UnsafeBufferPointer(start: field.value, count: field.valuelen), as: UTF8.self)
        )
      }
      return Dictionary(fields) { _, last in last }
    }
  }

  private func method(_ name: String) -> MethodDescriptor {
    MethodDescriptor(fullyQualifiedService: "a.Service", method: name)
  }

  @Test func nothingOfACallIsLeftInTheNext() {
    var headers = RequestHeaders(
      authority: "localhost", isSecure: false, acceptedEncodings: [.none, .gzip])
    func block(
      _ name: String, _ metadata: Metadata = [:], encoding: CompressionAlgorithm = .none,
      timeout: Duration? = nil, previousAttempts: Int = 0
    ) -> [String: String] {
      fields(
        headers.block(
          for: method(name), metadata: metadata, encoding: encoding, timeout: timeout,
          previousAttempts: previousAttempts))
    }
    let plain = [
      ":method": "POST", ":scheme": "http", ":path": "/a.Service/First", ":authority": "localhost",
      "te": "trailers", "content-type": "application/grpc", "user-agent": "grpc-swiftkart/1.0",
      "grpc-accept-encoding": "identity,gzip",
    ]
    #expect(block("First") == plain)
    let more = block("First", ["key": "value"], timeout: .seconds(1), previousAttempts: 2)
    let added = ["key", "grpc-timeout", "grpc-previous-rpc-attempts"]
    #expect(Set(more.keys) == Set(plain.keys).union(added))
    #expect(more["key"] == "value" && more["grpc-previous-rpc-attempts"] == "2")
    #expect(block("First") == plain)
    #expect(block("Second")[":path"] == "/a.Service/Second")
    #expect(block("Second", encoding: .gzip)["grpc-encoding"] == "gzip")
    #expect(block("First") == plain)
  }
}
