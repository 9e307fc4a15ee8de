import EventLoop
import GRPCCore
import Glibc
import Testing

@testable import GRPCHTTP2Transport

/// Calls over real virtual sockets; `make test-vsock` runs these in a kernel that has them.
@Suite(.enabled(if: getenv("KART_VSOCK") != nil), .timeLimit(.minutes(1)))
struct VirtualSocketTests {
  private static let anywhere = SocketAddress.vsock(contextID: .any, port: .any)

  private func withEcho(
    _ body: (EchoClient, SocketAddress) async throws -> Void
  ) async throws {
    try await TestServer.with(Self.anywhere) { _, address in
      let port = try #require(address.virtualSocket?.port)
      let transport = try HTTP2ClientTransport(target: "vsock:1:\(port.rawValue)")
      try await withGRPCClient(transport: transport) { client in
        try await body(EchoClient(client: client), address)
      }
    }
  }

  @Test func aPortIsChosen() async throws {
    try await TestServer.with(Self.anywhere) { _, address in
      #expect(address.virtualSocket?.contextID == .any)
      #expect(address.virtualSocket?.port != .any)
    }
  }

  @Test func callsOfAllSizesComeBack() async throws {
    try await withEcho { echo, _ in
      for size in [0, 1, 1000, 1 << 20] {
        let answer = try await echo.echo([UInt8](repeating: 5, count: size))
        #expect(answer.count == size)
      }
    }
  }

  @Test func streamsGoBothWays() async throws {
    try await withEcho { echo, _ in
      let count = try await echo.bidirectional { writer in
        for _ in 0..<100 { try await writer.write([UInt8](repeating: 3, count: 5000)) }
      } _: { response in
        var count = 0
        for try await message in response.messages { count += message.count }
        return count
      }
      #expect(count == 500_000)
    }
  }

  @Test func thePeerIsKnown() async throws {
    try await withEcho { echo, _ in
      let who = try await echo.client.unary(
        request: ClientRequest(message: [1]), descriptor: EchoClient.method("Who"),
        serializer: ByteSerializer(), deserializer: ByteDeserializer(), options: .defaults
      ) { String(decoding: try $0.message, as: UTF8.self) }
      #expect(who.hasPrefix("vsock:1:"))
      #expect(who.hasSuffix("\(PeerIdentity.virtualMachine(contextID: 1))"))
    }
  }

  @Test func aPortInUseIsAClearError() async throws {
    try await TestServer.with(Self.anywhere) { server, address in
      let second = TestServer(address, .defaults, loops: server.loops)
      let error = await #expect(throws: RuntimeError.self) { try await second.listen() }
      #expect(error?.description.contains("\(address)") == true)
    }
  }
}
