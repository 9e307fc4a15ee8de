import GRPCCore
import KartTesting
import Testing

@testable import GRPCHTTP2Transport

/// Answers that are good HTTP/2 and bad gRPC: each costs its call, with the status that gRPC has for it, and the
/// connection goes on.
@Suite(.timeLimit(.minutes(1))) struct MalformedAnswerTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var code: RPCError.Code
    var answer: @Sendable (ScriptedStream) -> Void

    init(
      _ description: String, _ code: RPCError.Code,
      _ answer: @escaping @Sendable (ScriptedStream) -> Void
    ) {
      testDescription = description
      self.code = code
      self.answer = answer
    }
  }

  private static func headers(_ more: (String, String)...) -> [(String, String)] {
    ScriptedStream.usualHeaders + more
  }

  private static let cases = [
    Case("binary metadata that is none", .internalError) {
      $0.respond(headers: headers(("x-a-bin", "A")), messages: [[1]])
    },
    Case("binary metadata in the trailers that is none", .internalError) {
      $0.respond(messages: [[1]], trailers: [("grpc-status", "0"), ("x-a-bin", "AA==,*")])
    },
    Case("an encoding that was not offered", .internalError) {
      $0.respond(headers: headers(("grpc-encoding", "zstd")), messages: [[1]])
    },
    Case("compression without an encoding", .internalError) {
      $0.outbound.append([1, 2, 3], isCompressed: true)
      $0.respond()
    },
    Case("compression that is none", .internalError) {
      $0.outbound.append([1, 2, 3], isCompressed: true)
      $0.respond(headers: headers(("grpc-encoding", "gzip")))
    },
    Case("a message that is small until it is decompressed", .resourceExhausted) {
      let bomb = MessageCompressor(.gzip).compress([UInt8](repeating: 0, count: 16 << 20)) ?? []
      $0.outbound.append(bomb, isCompressed: true)
      $0.respond(headers: headers(("grpc-encoding", "gzip")))
    },
    Case("a message larger than allowed", .resourceExhausted) {
      $0.respond(messages: [[UInt8](repeating: 0, count: (4 << 20) + 1)])
    },
    Case("more headers than allowed", .resourceExhausted) {
      $0.respond(
        headers: headers(("x-a", String(repeating: "a", count: 20_000))), messages: [[1]])
    },
    Case("more trailers than allowed", .resourceExhausted) {
      $0.respond(
        messages: [[1]],
        trailers: [("grpc-status", "0"), ("x-a", String(repeating: "a", count: 20_000))])
    },
    Case("no message", .unimplemented) { $0.respond() },
    Case("two messages", .unimplemented) { $0.respond(messages: [[1], [2]]) },
    Case("no status", .unknown) { $0.respond(messages: [[1]], trailers: nil) },
    Case("another content type", .unknown) {
      $0.respond(headers: [(":status", "200"), ("content-type", "text/plain")], messages: [[1]])
    },
    Case("no content type", .unknown) {
      $0.respond(headers: [(":status", "200")], messages: [[1]])
    },
  ]

  @Test(arguments: cases) func theCallEndsAndTheConnectionGoesOn(test: Case) async throws {
    let folder = TemporaryFolder()
    let server = try ScriptedServer(.unixDomainSocket(path: "\(folder.path)/s.sock")) { stream in
      stream.onEnd = { if $0.message == [0] { test.answer($0) } else { $0.echo() } }
    }
    try await withGRPCClient(
      transport: HTTP2ClientTransport(target: "\(server.address)")
    ) { client in
      let echo = EchoClient(client: client)
      let error = await #expect(throws: RPCError.self) { try await echo.echo([0]) }
      #expect(error?.code == test.code, "\(error?.message ?? "")")
      try await echo.expectEcho(of: [7])
      #expect(await server.onLoop { $0.connections.count } == 1)
    }
    await server.kill()
  }
}
