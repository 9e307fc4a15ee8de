import EventLoop
import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

/// Windows of streams and connections, kept and broken.
@Suite(.timeLimit(.minutes(1))) struct ServerFlowControlTests {
  private static let flowControlError: UInt32 = 0x3

  private var configuration: HTTP2ServerTransport.Configuration {
    var configuration = HTTP2ServerTransport.Configuration.defaults
    configuration.initialWindowBytes = 70_000
    return configuration
  }

  /// A message that fills a DATA frame of 16 KiB.
  private static func data(_ stream: UInt32) -> WireFrame {
    WireFrame(
      .data, stream: stream, [0, 0, 0, 0x3f, 0xfb] + [UInt8](repeating: 7, count: 0x3ffb))
  }

  @Test func aWindowOfAStreamThatIsExceededEndsIt() async throws {
    try await TestServer.withBystander(configuration) { server, address in
      // The handler writes back what it reads, and stops reading since the client takes nothing.
      let client = try WireClient(to: address, on: server.loops.loops[0], settings: [(4, 0)])
      client.send(.headers(5, WireHeaders.request("/test.Echo/Bidi")))
      for _ in 0..<40 { client.send(Self.data(5)) }
      let end = await client.first {
        $0.kind == .goAway || ($0.kind == .reset && $0.stream == 5)
      }
      #expect(end?.code == Self.flowControlError)
      client.close()
    }
  }

  @Test func aStreamWithoutAWindowIsSentNothing() async throws {
    try await TestServer.withBystander { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0], settings: [(4, 0)])
      client.send(.headers(1, WireHeaders.request()), .message(1))
      let headers = await client.first { $0.kind == .headers || $0.kind == .data }
      #expect(headers?.kind == .headers)
      client.send(.ping(1))
      let next = await client.first { $0.kind == .data || $0.kind == .ping }
      #expect(next?.kind == .ping)
      client.send(.windowUpdate(1, by: 6))
      #expect(await client.first { $0.kind == .data }?.payload == [0, 0, 0, 0, 1, 7])
      #expect(await client.first { $0.kind == .headers }?.has(WireFrame.endStream) == true)
      client.close()
    }
  }

  /// A window that is used up to the last byte holds up no status, be it the handler's or the deadline's.
  @Test(arguments: [("0", "1M"), ("4", "100m")])
  func aStatusNeedsNoWindow(status: String, timeout: String) async throws {
    try await TestServer.withBystander { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0], settings: [(4, 6)])
      let head = WireHeaders.request("/test.Echo/Bidi", [("grpc-timeout", timeout)])
      client.send(.headers(1, head), .message(1, endStream: false))
      _ = await client.first { $0.kind == .data }
      if status == "0" { client.send(WireFrame(.data, flags: WireFrame.endStream, stream: 1)) }
      #expect(await client.answer(to: 1).fields["grpc-status"] == status)
      client.close()
    }
  }

  /// Nor does one that another stream uses up in the same moment.
  @Test func aStatusNeedsNoWindowOfTheConnection() async throws {
    try await TestServer.withBystander { server, address in
      let client = try WireClient(
        to: address, on: server.loops.loops[0], settings: [(4, 1 << 20)])
      client.send(.headers(1, WireHeaders.request("/test.Echo/Expand")))
      client.send(.message(1, Array("60".utf8)))
      #expect(await client.answer(to: 1).fields["grpc-status"] == "0")
      for stream in [3, 5] as [UInt32] {
        client.send(
          .headers(stream, WireHeaders.request("/test.Echo/Bidi")),
          .message(stream, endStream: false))
        _ = await client.first { $0.kind == .data && $0.stream == stream }
      }
      client.send(
        .message(5, [UInt8](repeating: 7, count: 10_000), endStream: false),
        WireFrame(.data, flags: WireFrame.endStream, stream: 3))
      #expect(await client.answer(to: 3).fields["grpc-status"] == "0")
      client.close()
    }
  }

  @Test func aResponseWithoutMessagesNeedsNoWindow() async throws {
    try await TestServer.withBystander { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0], settings: [(4, 0)])
      let head = WireHeaders.request("/test.Echo/Bidi", [("x-note", "a")])
      for stream in [1, 3] as [UInt32] {
        client.send(.headers(stream, head, endStream: stream == 1))
        if stream == 3 {
          client.send(WireFrame(.data, flags: WireFrame.endStream, stream: stream))
        }
        let fields = await client.answer(to: stream).fields
        #expect(fields["x-note"] == "a" && fields["grpc-status"] == "0")
      }
      client.close()
    }
  }

  @Test func aStreamThatIsNotReadHoldsUpNoOther() async throws {
    try await TestServer.withBystander(configuration) { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0], settings: [(4, 0)])
      // More than a window of the connection, of which no handler takes half.
      for stream in stride(from: UInt32(1), to: 61, by: 2) {
        client.send(.headers(stream, WireHeaders.request("/test.Echo/Bidi")))
        for _ in 0..<4 { client.send(Self.data(stream)) }
        // As much as the window held at first: more of it has to come.
        if stream % 20 == 19 {
          #expect(await client.first { $0.kind == .windowUpdate && $0.stream == 0 } != nil)
        }
      }
      client.send(.headers(61, WireHeaders.request()), .message(61), .windowUpdate(61, by: 6))
      #expect(await client.answer(to: 61).fields["grpc-status"] == "0")
      client.close()
    }
  }
}
