import EventLoop
import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

/// Frames against the rules of RFC 9113: each costs what the RFC says, a stream or the connection, and nobody
/// else anything.
@Suite(.timeLimit(.minutes(1))) struct MalformedFrameTests {
  private static let protocolError: UInt32 = 0x1
  private static let flowControlError: UInt32 = 0x3
  private static let streamClosed: UInt32 = 0x5
  private static let frameSizeError: UInt32 = 0x6
  private static let compressionError: UInt32 = 0x9

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var codes: [UInt32]
    var frames: [WireFrame]

    init(_ description: String, _ codes: UInt32..., sending frames: WireFrame...) {
      testDescription = description
      self.codes = codes
      self.frames = frames
    }
  }

  private static let bidi = WireHeaders.request("/test.Echo/Bidi")

  private static func claiming(_ length: Int, _ frame: WireFrame) -> WireFrame {
    var frame = frame
    frame.claimedLength = length
    return frame
  }

  private static let ofTheConnection = [
    Case(
      "a frame larger than allowed", frameSizeError,
      sending: claiming(16_385, WireFrame(.data, stream: 1))),
    Case("settings of a stream", protocolError, sending: WireFrame(.settings, stream: 1)),
    Case("half an entry of settings", frameSizeError, sending: WireFrame(.settings, [0, 1, 0])),
    Case(
      "an acknowledgement of settings with a payload", frameSizeError,
      sending: WireFrame(.settings, flags: 1, [0, 1, 0, 0, 0, 0])),
    Case("an initial window beyond 2³¹−1", flowControlError, sending: .settings([(4, 1 << 31)])),
    Case("a frame size below 2¹⁴", protocolError, sending: .settings([(5, 1000)])),
    Case("a frame size beyond 2²⁴−1", protocolError, sending: .settings([(5, 1 << 24)])),
    Case(
      "an acknowledgement of no settings", protocolError,
      sending: WireFrame(.settings, flags: WireFrame.acknowledgement)),
    Case("a push that is neither on nor off", protocolError, sending: .settings([(2, 2)])),
    Case(
      "a ping of seven bytes", frameSizeError, sending: WireFrame(.ping, [0, 0, 0, 0, 0, 0, 0])),
    Case(
      "a ping of a stream", protocolError,
      sending: WireFrame(.ping, stream: 1, [0, 0, 0, 0, 0, 0, 0, 0])),
    Case("a window update by nothing", protocolError, sending: .windowUpdate(0, by: 0)),
    Case(
      "a window of the connection beyond 2³¹−1", flowControlError,
      sending: .windowUpdate(0, by: 0x7fff_ffff)),
    Case(
      "a window update of three bytes", frameSizeError,
      sending: WireFrame(.windowUpdate, [0, 0, 1])),
    Case(
      "a window update of a stream that never was", protocolError, sending: .windowUpdate(7, by: 1)
    ),
    Case(
      "a window update of a stream by nothing", protocolError,
      sending: .headers(1, bidi), .windowUpdate(1, by: 0)),
    Case(
      "a priority of four bytes", frameSizeError,
      sending: WireFrame(.priority, stream: 1, [0, 0, 0, 0])),
    Case("a priority of no stream", protocolError, sending: WireFrame(.priority, [0, 0, 0, 0, 9])),
    Case(
      "a goodbye of seven bytes", frameSizeError,
      sending: WireFrame(.goAway, [0, 0, 0, 0, 0, 0, 0])),
    Case(
      "padding longer than its header block", protocolError,
      sending: WireFrame(
        .headers, flags: WireFrame.padded | WireFrame.endHeaders, stream: 1, [9, 0x82])),
    Case("data of no stream", protocolError, sending: WireFrame(.data, [1])),
    Case(
      "data of a stream that never was", protocolError, streamClosed,
      sending: WireFrame(.data, stream: 5, [1])),
    Case("headers of no stream", protocolError, sending: .headers(0, bidi)),
    Case("headers of a stream of the server's", protocolError, sending: .headers(2, bidi)),
    Case(
      "data after the end", streamClosed,
      sending: .headers(1, WireHeaders.request("/test.Echo/Hang")), .message(1), .message(1)),
    Case(
      "a continuation of nothing", protocolError,
      sending: WireFrame(.continuation, flags: 4, stream: 1)),
    Case(
      "a frame within a header block", protocolError,
      sending: .headers(1, bidi, endHeaders: false), .ping()),
    Case(
      "a continuation of another stream", protocolError,
      sending: .headers(1, bidi, endHeaders: false), WireFrame(.continuation, flags: 4, stream: 3)),
    Case(
      "padding longer than its frame", protocolError,
      sending: .headers(1, bidi), WireFrame(.data, flags: WireFrame.padded, stream: 1, [9, 0])),
    Case("a reset of no stream", protocolError, sending: .reset(0)),
    Case("a reset of a stream that never was", protocolError, sending: .reset(7)),
    Case(
      "a reset of three bytes", frameSizeError,
      sending: .headers(1, bidi), WireFrame(.reset, stream: 1, [0, 0, 8])),
    Case(
      "a push promise", protocolError,
      sending: WireFrame(.pushPromise, flags: 4, stream: 1, [0, 0, 0, 2])),
    Case(
      "a goodbye of a stream", protocolError,
      sending: WireFrame(.goAway, stream: 1, [0, 0, 0, 0, 0, 0, 0, 0])),
    Case(
      "an index that is not in the table", compressionError,
      sending: WireFrame(.headers, flags: 4, stream: 1, [0xff, 0xff, 0x7f])),
    Case(
      "a header block cut off", compressionError,
      sending: WireFrame(.headers, flags: 4, stream: 1, [0x10, 0x05, 0x61])),
    Case(
      "a table larger than allowed", compressionError,
      sending: WireFrame(.headers, flags: 4, stream: 1, [0x3f, 0xff, 0xff, 0x7f])),
  ]

  @Test(arguments: ofTheConnection)
  func theConnectionEnds(test: Case) async throws {
    try await TestServer.withBystander { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0])
      client.send(test.frames.flatMap(\.bytes))
      let goAway = try #require(await client.goAway())
      #expect(test.codes.contains(goAway.code ?? 0), "\(goAway)")
    }
  }

  @Test func whatIsNotHTTP2IsSentAway() async throws {
    try await TestServer.withBystander { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0], greets: false)
      client.send(Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
      #expect(await client.goAway()?.code == Self.protocolError)
    }
  }

  @Test func everythingMayComeByteByByte() async throws {
    try await TestServer.withBystander { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0], greets: false)
      let frames: [WireFrame] = [
        .settings(), .headers(1, WireHeaders.request()), .message(1),
      ]
      for byte in WireClient.preface + frames.flatMap(\.bytes) { client.send([byte]) }
      #expect(await client.answer(to: 1).fields["grpc-status"] == "0")
      client.close()
    }
  }

  private static let ofTheStream = [
    Case(
      "a window beyond 2³¹−1", flowControlError,
      sending: .headers(1, bidi), .windowUpdate(1, by: 0x7fff_ffff)),
    Case(
      "an upper-case name", protocolError,
      sending: .headers(1, WireHeaders.request("/test.Echo/Bidi", [("X-A", "b")]))),
    Case(
      "a field of the connection's", protocolError,
      sending: .headers(1, WireHeaders.request("/test.Echo/Bidi", [("connection", "close")]))),
    Case(
      "a pseudo-header after a field", protocolError,
      sending: .headers(1, WireHeaders.request("/test.Echo/Bidi", [(":path", "/a.B/C")]))),
    Case(
      "no path", protocolError,
      sending: .headers(1, [(":method", "POST"), (":scheme", "http")])),
    Case(
      "no method", protocolError,
      sending: .headers(1, [(":scheme", "http"), (":path", "/test.Echo/Bidi")])),
    Case(
      "no scheme", protocolError,
      sending: .headers(1, [(":method", "POST"), (":path", "/test.Echo/Bidi")])),
    Case(
      "an empty path", protocolError,
      sending: .headers(1, [(":method", "POST"), (":scheme", "http"), (":path", "")])),
    Case(
      "CONNECT with a path", protocolError,
      sending: .headers(
        1, [(":method", "CONNECT"), (":scheme", "http"), (":path", "/"), (":authority", "a")])),
    Case(
      "two methods", protocolError,
      sending: .headers(
        1, [(":method", "POST"), (":method", "POST"), (":scheme", "http"), (":path", "/")])),
    Case(
      "an unknown pseudo-header", protocolError,
      sending: .headers(1, [(":colour", "red")] + bidi)),
    Case(
      "te that is not trailers", protocolError,
      sending: .headers(1, WireHeaders.request("/test.Echo/Bidi", [("te", "gzip")]))),
    Case(
      "an encoding of the transfer", protocolError,
      sending: .headers(
        1, WireHeaders.request("/test.Echo/Bidi", [("transfer-encoding", "chunked")]))),
    Case(
      "another protocol", protocolError,
      sending: .headers(1, WireHeaders.request("/test.Echo/Bidi", [("upgrade", "h2c")]))),
    Case(
      "a name with a space", protocolError,
      sending: .headers(1, WireHeaders.request("/test.Echo/Bidi", [("x a", "b")]))),
    Case(
      "a value with a zero byte", protocolError,
      sending: .headers(1, WireHeaders.request("/test.Echo/Bidi", [("x-a", "b\0c")]))),
    Case(
      "a pseudo-header in the trailers", protocolError,
      sending: .headers(1, bidi), .headers(1, [(":path", "/")], endStream: true)),
    Case(
      "a content-length that is no number", protocolError,
      sending: .headers(1, WireHeaders.request("/test.Echo/Bidi", [("content-length", "one")]))),
    Case(
      "a value with a line break", protocolError,
      sending: .headers(1, WireHeaders.request("/test.Echo/Bidi", [("x-a", "b\nc")]))),
    Case(
      "trailers that do not end the stream", protocolError,
      sending: .headers(1, bidi), .headers(1, [("x-a", "b")])),
    Case(
      "a content-length that is not kept", protocolError,
      sending: .headers(1, WireHeaders.request("/test.Echo/Collect", [("content-length", "3")])),
      .message(1)),
  ]

  @Test(arguments: ofTheStream)
  func theStreamEndsAndTheConnectionGoesOn(test: Case) async throws {
    try await TestServer.withBystander { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0])
      client.send(test.frames.flatMap(\.bytes))
      let end = try #require(await client.first { $0.kind == .reset || $0.kind == .goAway })
      #expect(end.kind == .reset && test.codes.contains(end.code ?? 0), "\(end)")
      client.send(.headers(3, WireHeaders.request()), .message(3))
      let answer = await client.answer(to: 3)
      #expect(answer.fields["grpc-status"] == "0", "\(answer)")
      client.close()
    }
  }

  @Test func lateFramesOnAResetStreamAreTolerated() async throws {
    try await TestServer.withBystander { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0])
      client.send(.headers(1, WireHeaders.request("/test.Echo/Nothing")))
      // The server has answered, and resets what is left of the request.
      _ = await client.first { $0.kind == .reset && $0.stream == 1 }
      client.send(
        .message(1, endStream: false), .windowUpdate(1, by: 1),
        .headers(1, [("x-a", "b")], endStream: true),
        .reset(1))
      client.send(.headers(3, WireHeaders.request()), .message(3))
      #expect(await client.answer(to: 3).fields["grpc-status"] == "0")
      client.close()
    }
  }

  @Test func aStreamOlderThanTheLatestIsIgnored() async throws {
    try await TestServer.withBystander { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0])
      client.send(.headers(5, Self.bidi), .headers(3, Self.bidi), .reset(5))
      client.send(.headers(7, WireHeaders.request()), .message(7))
      #expect(await client.answer(to: 7).fields["grpc-status"] == "0")
      client.close()
    }
  }

  @Test func whatIsUnknownIsIgnored() async throws {
    try await TestServer.withBystander { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0], settings: [(0xabc, 7)])
      client.send(WireFrame(type: 0xee, flags: 0xff, stream: 0x8000_0001, [1, 2, 3]))
      client.send(.headers(1, WireHeaders.request()), .message(1))
      #expect(await client.answer(to: 1).fields["grpc-status"] == "0")
      client.close()
    }
  }
}
