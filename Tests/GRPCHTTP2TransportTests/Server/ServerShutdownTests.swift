import Dispatch
import EventLoop
import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

/// How a server takes its leave: no call that it has accepted is lost, and none keeps it for ever.
@Suite(.timeLimit(.minutes(1))) struct ServerShutdownTests {
  private let anyPort = SocketAddress.ipv4(host: "127.0.0.1", port: 0)

  private func configuration(maxDrainTime: Duration) -> HTTP2ServerTransport.Configuration {
    var configuration = HTTP2ServerTransport.Configuration.defaults
    configuration.maxDrainTime = maxDrainTime
    return configuration
  }

  @Test func theCallsThatWereAcceptedAreServed() async throws {
    try await TestServer.with(anyPort) { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0])
      client.send(.headers(1, WireHeaders.request("/test.Echo/Collect")))
      // The answer to the PING says that the call has begun.
      client.send(.ping(9))
      _ = await client.first { $0.kind == .ping }
      server.transport.beginGracefulShutdown()
      let first = try #require(await client.first { $0.kind == .goAway })
      #expect(WireFrame.number(first.payload[...]) == 0x7fff_ffff && first.code == 0)
      var ping = try #require(await client.first { $0.kind == .ping })

      // This one was on its way when the client was told.
      client.send(.headers(3, WireHeaders.request()), .message(3))
      #expect(await client.answer(to: 3).fields["grpc-status"] == "0")

      ping.flags = WireFrame.acknowledgement
      client.send(ping)
      let second = try #require(await client.first { $0.kind == .goAway })
      #expect(WireFrame.number(second.payload[...]) == 3 && second.code == 0)
      // This one comes too late, and the client knows; the first still goes on.
      client.send(.headers(5, WireHeaders.request()), .message(5))
      client.send(.message(1, [1, 2, 3]))
      var last: WireFrame?
      for await frame in client.frames where frame.stream != 0 {
        #expect(frame.stream == 1)
        last = frame
      }
      #expect(last?.fields["grpc-status"] == "0")
    }
  }

  /// The GOAWAY that names the last call is not written yet when the next one comes.
  @Test func aCallThatComesWithTheAnswerToThePingIsNotBegun() async throws {
    let loops = EventLoopGroup(count: 1)
    let server = TestServer(anyPort, .defaults, loops: loops)
    let serving = Task { try await server.listen() }
    let client = try WireClient(
      to: try await server.transport.listeningAddress, on: loops.loops[0])
    client.send(.headers(1, WireHeaders.request()), .message(1))
    #expect(await client.answer(to: 1).fields["grpc-status"] == "0")
    server.transport.beginGracefulShutdown()
    var ping = try #require(await client.first { $0.kind == .ping })
    ping.flags = WireFrame.acknowledgement
    client.send(ping, .headers(3, WireHeaders.request("/test.Echo/Hang")), .message(3))
    let second = try #require(await client.first { $0.kind == .goAway })
    #expect(WireFrame.number(second.payload[...]) == 1 && second.code == 0)
    client.close()
    try await serving.value
    for await event in server.hangs { Issue.record("\(event)") }
    await loops.shutdown()
  }

  @Test func anIdleConnectionClosesAtOnce() async throws {
    try await TestServer.with(anyPort) { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0])
      _ = await client.first { $0.kind == .settings }
      server.transport.beginGracefulShutdown()
      try await expectDoubleGoAway(client, lastStream: 0)
      #expect(await client.first { _ in true } == nil)
    }
  }

  @Test func nobodyIsAcceptedAnyMore() async throws {
    try await TestServer.with(anyPort) { server, address in
      server.transport.beginGracefulShutdown()
      await #expect(throws: RuntimeError.self) { try await server.transport.listeningAddress }
    }
  }

  @Test func aCallThatDoesNotEndInTimeIsUnavailable() async throws {
    try await TestServer.with(anyPort, configuration(maxDrainTime: .zero)) { server, address in
      let transport = try HTTP2ClientTransport(target: "\(address)")
      try await withGRPCClient(transport: transport) { client in
        let call = Task {
          try await client.unary(
            request: ClientRequest(message: [1]), descriptor: EchoClient.method("Hang"),
            serializer: ByteSerializer(), deserializer: ByteDeserializer(), options: .defaults
          ) { try $0.message }
        }
        for await event in server.hangs where event == "begun" { break }
        server.transport.beginGracefulShutdown()
        let error = await #expect(throws: RPCError.self) { try await call.value }
        #expect(error?.code == .unavailable)
        #expect(error?.message.contains("shutting down") == true)
        for await event in server.hangs where event == "cancelled" { break }
      }
    }
  }

  @Test func aStreamThatDoesNotEndInTimeIsUnavailable() async throws {
    try await TestServer.with(anyPort, configuration(maxDrainTime: .zero)) { server, address in
      let transport = try HTTP2ClientTransport(target: "\(address)")
      try await withGRPCClient(transport: transport) { client in
        let (never, end) = AsyncStream.makeStream(of: [UInt8].self)
        end.yield([7])
        let error = try await EchoClient(client: client).bidirectional { writer in
          for await message in never { try await writer.write(message) }
        } _: { response -> RPCError? in
          do {
            for try await _ in response.messages { server.transport.beginGracefulShutdown() }
            return nil
          } catch {
            end.finish()
            return error as? RPCError
          }
        }
        #expect(error?.code == .unavailable)
      }
    }
  }

  @Test func aClientThatTakesNothingDoesNotKeepTheServer() async throws {
    try await TestServer.with(anyPort, configuration(maxDrainTime: .zero)) { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0], settings: [(4, 0)])
      client.send(.headers(1, WireHeaders.request("/test.Echo/Expand")))
      client.send(.message(1, Array("9".utf8)))
      _ = await client.first { $0.kind == .headers }
      server.transport.beginGracefulShutdown()
      // No reset and no status: the client sees its connection go, and knows that for `unavailable`.
      for await frame in client.frames where frame.stream == 1 {
        #expect(Bool(false), "\(frame)")
      }
    }
  }

  @Test func cancellingTheTaskEndsTheCalls() async throws {
    let loops = EventLoopGroup(count: 1)
    let server = TestServer(anyPort, .defaults, loops: loops)
    let serving = Task { try await server.listen() }
    let client = try WireClient(
      to: try await server.transport.listeningAddress, on: loops.loops[0])
    client.send(.headers(1, WireHeaders.request("/test.Echo/Hang")), .message(1))
    for await event in server.hangs where event == "begun" { break }
    serving.cancel()
    #expect(await client.answer(to: 1).fields["grpc-status"] == "14")
    #expect(await client.goAway()?.code == 0)
    try await serving.value
    await loops.shutdown()
  }

  @Test func cancellingTheTaskEndsConnectionsThatAreOnTheirWayToTheirLoop() async throws {
    let loops = EventLoopGroup(count: 2)
    var configuration = HTTP2ServerTransport.Configuration.defaults
    configuration.handshakeTimeout = .seconds(1000)
    let server = TestServer(anyPort, configuration, loops: loops)
    let serving = Task { try await server.listen() }
    let address = try await server.transport.listeningAddress
    let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
    let gate = DispatchSemaphore(value: 0)
    loops.loops[1].execute {
      beginning.yield()
      gate.wait()
    }
    for await _ in begun { break }
    // One of them goes to the loop that is held up.
    let clients = try (0..<2).map { _ in try WireClient(to: address, on: loops.loops[0]) }
    serving.cancel()
    await withCheckedContinuation { done in loops.loops[0].execute { done.resume() } }
    gate.signal()
    for client in clients { #expect(await client.goAway()?.code == 0) }
    try await serving.value
    await loops.shutdown()
  }

  @Test func aServerServesOnce() async throws {
    try await TestServer.with(anyPort) { server, address in
      let error = await #expect(throws: RuntimeError.self) { try await server.listen() }
      #expect(error?.code == .serverIsAlreadyRunning)
    }
  }
}
