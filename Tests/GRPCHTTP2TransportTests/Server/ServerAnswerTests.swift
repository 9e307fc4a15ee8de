import EventLoop
import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

/// What a server answers, byte for byte, to requests good and bad.
@Suite struct ServerAnswerTests {
  private struct Coder: MessageSerializer, MessageDeserializer {
    func serialize<Bytes: GRPCContiguousBytes>(_ message: [UInt8]) -> Bytes { Bytes(message) }
    func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) -> [UInt8] {
      bytes.withUnsafeBytes { [UInt8]($0) }
    }
  }

  private func withServer(_ body: (SocketAddress, EventLoop) async throws -> Void) async throws {
    let loops = EventLoopGroup(count: 1)
    var configuration = HTTP2ServerTransport.Configuration.defaults
    configuration.maxRequestMessageBytes = 64
    let transport = HTTP2ServerTransport(
      listeningOn: .ipv4(host: "127.0.0.1", port: 0), configuration: configuration,
      eventLoops: loops)
    var router = RPCRouter<HTTP2ServerTransport>()
    router.registerUnaryHandler(
      forMethod: MethodDescriptor(fullyQualifiedService: "test.Echo", method: "Unary"),
      deserializer: Coder(), serializer: Coder()
    ) { request, _ in
      ServerResponse(message: request.message, metadata: request.metadata)
    }
    router.registerUnaryHandler(
      forMethod: MethodDescriptor(fullyQualifiedService: "test.Echo", method: "Hang"),
      deserializer: Coder(), serializer: Coder()
    ) { request, context in
      try await context.cancellation.cancelled
      return ServerResponse(message: request.message)
    }
    let served = router
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await transport.listen(router: served) }
      try await body(try await transport.listeningAddress, loops.loops[0])
      transport.beginGracefulShutdown()
      try await group.waitForAll()
    }
    await loops.shutdown()
  }

  @Test func aUnaryCallIsAnsweredWithItsMetadata() async throws {
    try await withServer { address, loop in
      let answer = try await RawClient.call(
        address, on: loop, fields: ["x-note": "hello", "x-raw-bin": "AAE,Ag=="])
      #expect(answer.headers[":status"] == "200")
      #expect(answer.headers["grpc-status"] == "0")
      #expect(answer.headers["x-note"] == "hello")
      #expect(answer.data == [0, 0, 0, 0, 1, 7])
      #expect(answer.code == .noError)
    }
  }

  @Test(arguments: ["application/grpc+proto", "application/grpc;charset=utf-8"])
  func anyKindOfGRPCIsServed(contentType: String) async throws {
    try await withServer { address, loop in
      let answer = try await RawClient.call(address, on: loop, contentType: contentType)
      #expect(answer.headers["grpc-status"] == "0")
    }
  }

  @Test func whatIsNoGRPCGetsAnHTTPError() async throws {
    try await withServer { address, loop in
      let text = try await RawClient.call(address, on: loop, contentType: "text/plain")
      #expect(text.headers[":status"] == "415")
      let get = try await RawClient.call(address, on: loop, method: "GET")
      #expect(get.headers[":status"] == "405")
    }
  }

  @Test(arguments: [
    ("/test.Echo/Nothing", "12"), ("/test.Nothing/Unary", "12"), ("/test.Echo", "12"),
  ])
  func unknownPathsAreUnimplemented(path: String, status: String) async throws {
    try await withServer { address, loop in
      let answer = try await RawClient.call(address, on: loop, path: path)
      #expect(answer.headers[":status"] == "200")
      #expect(answer.headers["grpc-status"] == status)
      #expect(answer.data.isEmpty)
    }
  }

  @Test func badRequestsGetTheirStatus() async throws {
    try await withServer { address, loop in
      let none = try await RawClient.call(address, on: loop, body: [])
      #expect(none.headers["grpc-status"] == "12")
      let large = try await RawClient.call(
        address, on: loop, body: [UInt8](repeating: 0, count: 5 + 65))
      #expect(large.headers["grpc-status"] == "8")
      let timeout = try await RawClient.call(
        address, on: loop, fields: ["grpc-timeout": "soon"])
      #expect(timeout.headers["grpc-status"] == "13")
      let encoding = try await RawClient.call(
        address, on: loop, fields: ["grpc-encoding": "zstd"])
      #expect(encoding.headers["grpc-status"] == "12")
      #expect(encoding.headers["grpc-accept-encoding"] == "identity,deflate,gzip")
    }
  }

  @Test func aDeadlineEndsTheCall() async throws {
    try await withServer { address, loop in
      let answer = try await RawClient.call(
        address, on: loop, path: "/test.Echo/Hang", fields: ["grpc-timeout": "1m"])
      #expect(answer.headers["grpc-status"] == "4")
    }
  }
}
