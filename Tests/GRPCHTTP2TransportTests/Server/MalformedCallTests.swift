import EventLoop
import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

/// Requests that are good HTTP/2 and bad gRPC: each costs its call, with the status that gRPC has for it, and
/// nothing else.
@Suite(.timeLimit(.minutes(1))) struct MalformedCallTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Which field of the answer says so, and what.
    var field = "grpc-status"
    var value: String
    var frames: [WireFrame]

    init(_ description: String, status: Int, sending frames: WireFrame...) {
      testDescription = description
      value = "\(status)"
      self.frames = frames
    }

    init(_ description: String, http: Int, sending frames: WireFrame...) {
      testDescription = description
      field = ":status"
      value = "\(http)"
      self.frames = frames
    }
  }

  private static func unary(_ more: (String, String)...) -> WireFrame {
    .headers(1, WireHeaders.request("/test.Echo/Unary", more))
  }

  private static func collect(_ more: (String, String)...) -> WireFrame {
    .headers(1, WireHeaders.request("/test.Echo/Collect", more))
  }

  private static func data(_ bytes: [UInt8], endStream: Bool = true) -> WireFrame {
    WireFrame(.data, flags: endStream ? WireFrame.endStream : 0, stream: 1, bytes)
  }

  private static func request(
    replacing name: String, with value: String?
  ) -> WireFrame {
    .headers(
      1,
      WireHeaders.request().compactMap { field in
        field.0 == name ? value.map { (name, $0) } : field
      })
  }

  /// A message that says of itself that it is compressed.
  private static func compressed(_ bytes: [UInt8], endStream: Bool = true) -> WireFrame {
    data([1] + WireFrame.bytes(UInt32(bytes.count)) + bytes, endStream: endStream)
  }

  private static let small =
    MessageCompressor(.gzip).compress([UInt8](repeating: 0, count: 1000)) ?? []

  private static let bomb =
    MessageCompressor(.gzip).compress([UInt8](repeating: 0, count: 16 << 20)) ?? []

  private static let cases = [
    Case("no message for a method that wants one", status: 12, sending: unary(), data([])),
    Case(
      "two messages for a method that wants one", status: 12,
      sending: unary(), .message(1, endStream: false), .message(1)),
    Case("half a prefix", status: 13, sending: collect(), data([0, 0, 0])),
    Case("half a message", status: 13, sending: collect(), data([0, 0, 0, 0, 9, 1, 2])),
    Case("an unknown flag", status: 13, sending: collect(), data([2, 0, 0, 0, 0])),
    Case(
      "a message of 4 GiB, of which nothing comes", status: 8,
      sending: collect(), data([0, 0xff, 0xff, 0xff, 0xff], endStream: false)),
    Case(
      "a unary message larger than allowed, of which nothing comes", status: 8,
      sending: unary(), data([0, 0, 0x40, 0, 1], endStream: false)),
    Case("compression without an encoding", status: 13, sending: collect(), compressed([1, 2, 3])),
    Case(
      "compression that is none", status: 13,
      sending: collect(("grpc-encoding", "gzip")), compressed([1, 2, 3])),
    Case(
      "a compressed message cut off", status: 13,
      sending: collect(("grpc-encoding", "gzip")), compressed(Array(small.dropLast(9)))),
    Case(
      "a message that is small until it is decompressed", status: 8,
      sending: collect(("grpc-encoding", "gzip")), compressed(bomb)),
    Case(
      "an encoding that nobody knows", status: 12,
      sending: unary(("grpc-encoding", "zstd")), .message(1)),
    Case("a timeout without a unit", status: 13, sending: unary(("grpc-timeout", "10"))),
    Case("a timeout of nine digits", status: 13, sending: unary(("grpc-timeout", "100000000n"))),
    Case("no time at all", status: 4, sending: unary(("grpc-timeout", "0n"))),
    Case("binary metadata that is none", status: 13, sending: unary(("x-a-bin", "A"))),
    Case(
      "a part of binary metadata that is none", status: 13, sending: unary(("x-a-bin", "AAA,*"))),
    Case(
      "an unknown method", status: 12, sending: .headers(1, WireHeaders.request("/test.Echo/None"))
    ),
    Case(
      "an unknown service", status: 12,
      sending: .headers(1, WireHeaders.request("/test.None/Unary"))),
    Case("a path without a method", status: 12, sending: .headers(1, WireHeaders.request("/"))),
    Case(
      "another content type", http: 415, sending: request(replacing: "content-type", with: "a/b")),
    Case(
      "a content type that only begins well", http: 415,
      sending: request(replacing: "content-type", with: "application/grpcurl")),
    Case("no content type", http: 415, sending: request(replacing: "content-type", with: nil)),
    Case("another method", http: 405, sending: request(replacing: ":method", with: "GET")),
    Case(
      "more headers than allowed", status: 8,
      sending: .headers(
        1, WireHeaders.request(), endHeaders: false),
      WireFrame(
        .continuation, stream: 1, WireHeaders.encode([("x-a", String(repeating: "a", count: 9000))])
      ),
      WireFrame(
        .continuation, flags: WireFrame.endHeaders, stream: 1,
        WireHeaders.encode([("x-b", String(repeating: "b", count: 9000))]))),
    Case(
      "headers that are small until they are decompressed", status: 8,
      sending: .headers(1, WireHeaders.request(), endHeaders: false),
      // Adds a field of 4000 bytes to the table, and repeats it.
      WireFrame(
        .continuation, flags: WireFrame.endHeaders, stream: 1,
        [0x40] + WireHeaders.encode([("x-a", String(repeating: "a", count: 4000))]).dropFirst()
          + [UInt8](repeating: 0xbe, count: 10_000))),
  ]

  @Test(arguments: cases) func theCallEndsAndTheConnectionGoesOn(test: Case) async throws {
    try await TestServer.withBystander { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0])
      client.send(test.frames.flatMap(\.bytes))
      let answer = await client.answer(to: 1)
      #expect(answer.fields[test.field] == test.value, "\(answer)")
      client.send(.headers(3, WireHeaders.request()), .message(3))
      let next = await client.answer(to: 3)
      #expect(next.fields["grpc-status"] == "0", "\(next)")
      client.close()
    }
  }

  private static let flawedEnds = [
    Case("an unknown flag", status: 13, sending: data([2, 0, 0, 0, 0], endStream: false)),
    Case(
      "a message larger than allowed", status: 8,
      sending: data([0, 0xff, 0xff, 0xff, 0xff], endStream: false)),
    Case("half a message", status: 13, sending: data([0, 0, 0, 0, 9, 1, 2])),
  ]

  @Test(arguments: flawedEnds) func whatWasAnsweredBeforeIsDelivered(test: Case) async throws {
    try await TestServer.withBystander { server, address in
      // Without a window, so that the answer waits.
      let client = try WireClient(to: address, on: server.loops.loops[0], settings: [(4, 0)])
      client.send(
        .headers(1, WireHeaders.request("/test.Echo/Bidi")), .message(1, endStream: false))
      _ = await client.first { $0.kind == .headers }
      client.send(test.frames.flatMap(\.bytes))
      client.send(.windowUpdate(1, by: 1000))
      let next = await client.first { $0.stream == 1 }
      #expect(next?.kind == .data && next?.payload == [0, 0, 0, 0, 1, 7], "\(next as Any)")
      #expect(await client.answer(to: 1).fields["grpc-status"] == test.value)
      client.send(.headers(3, WireHeaders.request()), .message(3), .windowUpdate(3, by: 1000))
      #expect(await client.answer(to: 3).fields["grpc-status"] == "0")
      client.close()
    }
  }

  @Test func whiteSpaceAroundAFieldIsNoPartOfIt() async throws {
    try await TestServer.with { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0])
      let fields = [("x-a", " b "), ("x-b", "\t c d"), ("x-c", " \t "), ("grpc-timeout", "1M ")]
      client.send(.headers(1, WireHeaders.request("/test.Echo/Unary", fields)), .message(1))
      let answer = await client.answer(to: 1).fields
      #expect(answer["grpc-status"] == "0")
      #expect([answer["x-a"], answer["x-b"], answer["x-c"]] == ["b", "c d", ""])
      client.close()
    }
  }

  @Test func aUnaryMessageStaysCompressedUntilTheRequestEnds() async throws {
    try await TestServer.with { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0])
      client.send(
        Self.unary(("grpc-encoding", "gzip")), Self.compressed([1, 2, 3], endStream: false))
      client.send(.headers(3, WireHeaders.request()), .message(3))
      // What cannot be decompressed is not noticed yet.
      #expect(await client.first { $0.kind == .headers }?.stream == 3)
      client.send(Self.data([]))
      #expect(await client.answer(to: 1).fields["grpc-status"] == "13")
      client.close()
    }
  }

  @Test func aStreamsMessagesStayCompressedUntilTheyAreRead() async throws {
    try await TestServer.with { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0])
      let fields = WireHeaders.request("/test.Echo/Bidi") + [("grpc-encoding", "gzip")]
      client.send(
        .headers(1, fields), .message(1, endStream: false), Self.compressed([1, 2, 3]))
      // The first is answered before the second is looked at.
      #expect(await client.first { $0.kind == .data }?.stream == 1)
      #expect(await client.answer(to: 1).fields["grpc-status"] == "13")
      client.close()
    }
  }

  private static let unusual = [
    Case(
      "a content type in capitals", status: 0,
      sending: request(replacing: "content-type", with: "Application/GRPC"), .message(1)),
    Case(
      "a content type with a kind and parameters", status: 0,
      sending: request(replacing: "content-type", with: "application/grpc+json; a=b"), .message(1)),
    Case(
      "trailers behind the request", status: 0,
      sending: unary(), .message(1, endStream: false), .headers(1, [("x-a", "b")], endStream: true)),
    Case(
      "padding", status: 0,
      sending: unary(),
      WireFrame(
        .data, flags: WireFrame.padded | WireFrame.endStream, stream: 1,
        [3, 0, 0, 0, 0, 1, 7, 0, 0, 0])),
    Case(
      "a message byte by byte", status: 0,
      sending: unary(), data([0], endStream: false), data([0], endStream: false),
      data([0, 0], endStream: false), data([1], endStream: false), data([7])),
    Case(
      "compression that was announced and not used", status: 0,
      sending: collect(("grpc-encoding", "gzip")), .message(1)),
    Case(
      "the longest timeout", status: 0, sending: unary(("grpc-timeout", "99999999H")), .message(1)),
    Case(
      "fields of gRPC's that are not known", status: 0,
      sending: unary(("grpc-tomorrow", "x"), ("grpc-status", "13")), .message(1)),
  ]

  @Test(arguments: unusual) func whatIsOnlyUnusualIsServed(test: Case) async throws {
    try await TestServer.withBystander { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0])
      client.send(test.frames.flatMap(\.bytes))
      let answer = await client.answer(to: 1)
      #expect(answer.fields[test.field] == test.value, "\(answer)")
      client.close()
    }
  }

  @Test(arguments: ["/test.Echo/", "/"], ["a", "a/b"])
  func aLongPathIsNotSentBackWhole(begin: String, end: String) async throws {
    try await TestServer.with { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0])
      let path = begin + String(repeating: end, count: 4_000)
      client.send(.headers(1, WireHeaders.request(path)))
      let fields = await client.answer(to: 1).fields
      #expect(fields["grpc-status"] == "12")
      #expect((100..<1_000).contains(fields["grpc-message"]?.utf8.count ?? 0))
      client.close()
    }
  }
}
