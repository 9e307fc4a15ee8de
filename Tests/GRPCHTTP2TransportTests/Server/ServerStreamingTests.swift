import EventLoop
import GRPCCore
import Glibc
import KartTesting
import Testing

@testable import GRPCHTTP2Transport

/// Calls of all kinds between a real client and a real server, and how they are cut short.
@Suite(.timeLimit(.minutes(1))) struct ServerStreamingTests {
  private let anyPort = SocketAddress.ipv4(host: "127.0.0.1", port: 0)

  private func withEcho(
    _ configuration: HTTP2ServerTransport.Configuration = .defaults, loops: Int = 1,
    _ body: (EchoClient, TestServer) async throws -> Void
  ) async throws {
    try await TestServer.with(anyPort, configuration, loops: loops) { server, address in
      let transport = try HTTP2ClientTransport(target: "\(address)")
      try await withGRPCClient(transport: transport) { client in
        try await body(EchoClient(client: client), server)
      }
    }
  }

  private func call(
    _ method: String, _ echo: EchoClient, options: CallOptions = .defaults
  ) async throws -> [UInt8] {
    try await echo.client.unary(
      request: ClientRequest(message: [1]), descriptor: EchoClient.method(method),
      serializer: ByteSerializer(), deserializer: ByteDeserializer(), options: options
    ) { try $0.message }
  }

  @Test(arguments: [0, 1, 5, 16_384, 100_000, 4 << 20])
  func messagesOfAnySizeComeBack(size: Int) async throws {
    try await withEcho { echo, _ in
      let message = (0..<size).map { UInt8(truncatingIfNeeded: $0 * 7) }
      let answer = try await echo.echo(message)
      #expect(answer == message)
    }
  }

  @Test func aClientStreamIsCollected() async throws {
    try await withEcho { echo, _ in
      let response = try await echo.collect { writer in
        for size in 0..<500 { try await writer.write([UInt8](repeating: 1, count: size)) }
      }
      #expect(try response.message == Array("\(499 * 500 / 2)".utf8))
    }
  }

  @Test func aServerStreamComesInOrder() async throws {
    try await withEcho { echo, _ in
      let count = try await echo.expand(500) { response in
        var next = 0
        for try await message in response.messages {
          #expect(message == [UInt8](repeating: UInt8(truncatingIfNeeded: next), count: 1000))
          next += 1
        }
        return next
      }
      #expect(count == 500)
    }
  }

  @Test(arguments: [1, 3]) func streamsGoBothWays(loops: Int) async throws {
    try await withEcho(loops: loops) { echo, _ in
      try await withThrowingTaskGroup(of: Int.self) { group in
        for size in 1...20 {
          group.addTask {
            try await echo.bidirectional { writer in
              for _ in 0..<200 { try await writer.write([UInt8](repeating: 3, count: size * 50)) }
            } _: { response in
              var count = 0
              for try await message in response.messages {
                #expect(message.count == size * 50)
                count += 1
              }
              return count
            }
          }
        }
        for try await count in group { #expect(count == 200) }
      }
    }
  }

  @Test func aClientThatResetsItsStreamCancelsTheHandler() async throws {
    try await withEcho { echo, server in
      let call = Task { try await self.call("Hang", echo) }
      for await event in server.hangs where event == "begun" { break }
      call.cancel()
      for await event in server.hangs where event == "cancelled" { break }
      let error = await #expect(throws: RPCError.self) { try await call.value }
      #expect(error?.code == .cancelled)
    }
  }

  @Test func aHandlerThatCancelsItsCallResetsTheStream() async throws {
    try await withEcho { echo, _ in
      let error = await #expect(throws: RPCError.self) { try await self.call("Quit", echo) }
      #expect(error?.code == .cancelled)
    }
  }

  @Test func aHandlerThatCancelsItsCallSaysSoOnTheWire() async throws {
    try await TestServer.with(anyPort) { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0])
      client.send(.headers(1, WireHeaders.request("/test.Echo/Quit")), .message(1))
      let answer = await client.answer(to: 1)
      // CANCEL, and no status.
      #expect(answer.code == 8 && answer.fields.isEmpty, "\(answer)")
      client.close()
    }
  }

  @Test func aLostConnectionCancelsTheHandler() async throws {
    try await TestServer.with(anyPort) { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0])
      client.send(.headers(1, WireHeaders.request("/test.Echo/Hang")), .message(1))
      for await event in server.hangs where event == "begun" { break }
      client.close()
      for await event in server.hangs where event == "cancelled" { break }
    }
  }

  @Test func aDeadlineCancelsTheHandler() async throws {
    try await TestServer.with(anyPort) { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0])
      client.send(.headers(1, WireHeaders.request("/test.Echo/Hang", [("grpc-timeout", "1m")])))
      client.send(.message(1))
      #expect(await client.answer(to: 1).fields["grpc-status"] == "4")
      client.close()
    }
  }

  @Test func aDeadlineEndsTheCallOnBothSides() async throws {
    try await withEcho { echo, server in
      var options = CallOptions.defaults
      options.timeout = .milliseconds(500)
      let call = Task { try await self.call("Hang", echo, options: options) }
      let error = await #expect(throws: RPCError.self) { try await call.value }
      #expect(error?.code == .deadlineExceeded)
    }
  }

  /// Serves while a client makes one call, which `handler` handles.
  private func withHandler(
    _ handler:
      @escaping @Sendable (
        RPCStream<HTTP2ServerTransport.Inbound, HTTP2ServerTransport.Outbound>, ServerContext
      ) async -> Void,
    call: [WireFrame], until latch: Latch<RPCError.Code?>
  ) async throws -> RPCError.Code? {
    let loops = EventLoopGroup(count: 1)
    let transport = HTTP2ServerTransport(listeningOn: anyPort, eventLoops: loops)
    let serving = Task { try await transport.listen(streamHandler: handler) }
    let client = try WireClient(to: try await transport.listeningAddress, on: loops.loops[0])
    client.send(call.flatMap(\.bytes))
    let code = try await latch.value
    client.close()
    transport.beginGracefulShutdown()
    try await serving.value
    await loops.shutdown()
    return code
  }

  /// - Parameter outlives: Whether it is another task that reads, and the handler has ended.
  @Test(arguments: [true, false])
  func readingOnAfterTheStatusEnds(outlives: Bool) async throws {
    let ended = Latch<RPCError.Code?>()
    let code = try await withHandler(
      { stream, _ in
        @Sendable func drain() async {
          do {
            for try await _ in stream.inbound {}
            ended.close(with: nil)
          } catch {
            ended.close(with: (error as? RPCError)?.code)
          }
        }
        try? await stream.outbound.write(.status(Status(code: .ok, message: ""), [:]))
        if outlives { Task { await drain() } } else { await drain() }
      }, call: [.headers(1, WireHeaders.request())], until: ended)
    #expect(code == .cancelled)
  }

  /// The client's timer may be the first, and its reset comes before the server looks at its own.
  @Test func aCallThatIsCancelledLateIsLate() async throws {
    let ended = Latch<RPCError.Code?>()
    let code = try await withHandler(
      { stream, context in
        // The reset has come with the headers, and is taken in after this.
        while let deadline = context.deadline, deadline > .now {}
        do {
          for try await _ in stream.inbound {}
          ended.close(with: nil)
        } catch {
          ended.close(with: (error as? RPCError)?.code)
        }
      },
      call: [
        .headers(1, WireHeaders.request("/test.Echo/Bidi", [("grpc-timeout", "1m")])), .reset(1),
      ],
      until: ended)
    #expect(code == .deadlineExceeded)
  }

  @Test func onlyTheStreamBeyondTheLimitIsRefused() async throws {
    var configuration = HTTP2ServerTransport.Configuration.defaults
    configuration.maxConcurrentStreams = 3
    try await TestServer.with(anyPort, configuration) { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0])
      let settings = try #require(await client.first { $0.kind == .settings })
      // MAX_CONCURRENT_STREAMS.
      let entries = stride(from: 0, to: settings.payload.count, by: 6)
        .map { Array(settings.payload[$0..<($0 + 6)]) }
      #expect(entries.contains([0, 3, 0, 0, 0, 3]))
      for stream in [1, 3, 5, 7] as [UInt32] {
        client.send(.headers(stream, WireHeaders.request("/test.Echo/Collect")))
      }
      let reset = try #require(await client.first { $0.kind == .reset })
      #expect(reset.stream == 7 && reset.code == 7)
      client.send(.message(3))
      #expect(await client.answer(to: 3).fields["grpc-status"] == "0")
      client.send(.headers(9, WireHeaders.request()), .message(9))
      #expect(await client.answer(to: 9).fields["grpc-status"] == "0")
      client.close()
    }
  }

  @Test func aUnixPeerIsKnown() async throws {
    let folder = TemporaryFolder()
    let address = SocketAddress.unixDomainSocket(path: "\(folder.path)/s.sock")
    try await TestServer.with(address) { _, address in
      let transport = try HTTP2ClientTransport(target: "\(address)")
      try await withGRPCClient(transport: transport) { client in
        let who = String(decoding: try await call("Who", EchoClient(client: client)), as: UTF8.self)
        let identity = PeerIdentity.process(
          userID: getuid(), groupID: getgid(), processID: getpid())
        #expect(who == "unix: \(identity)")
      }
    }
  }
}
