import EventLoop
import GRPCCore
import KartTesting
import Testing

@testable import GRPCHTTP2Transport

/// Clients that keep the server waiting, and connections that have been there for long enough.
@Suite(.timeLimit(.minutes(1))) struct ServerTimeoutTests {
  private static let noError: UInt32 = 0
  private static let enhanceYourCalm: UInt32 = 0xb
  private static let soon = Duration.milliseconds(20)

  @Test(arguments: [0, 10, 24, 30])
  func aClientThatDoesNotFinishItsGreeting(bytes: Int) async throws {
    var configuration = HTTP2ServerTransport.Configuration.defaults
    configuration.handshakeTimeout = Self.soon
    try await TestServer.with(.ipv4(host: "127.0.0.1", port: 0), configuration) { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0], greets: false)
      client.send(Array((WireClient.preface + WireFrame.settings().bytes).prefix(bytes)))
      let goAway = try #require(await client.goAway())
      #expect(goAway.code == Self.enhanceYourCalm)
      #expect(goAway.words == "handshake_timeout")
    }
  }

  @Test func aClientThatDoesNotFinishItsHeaders() async throws {
    var configuration = HTTP2ServerTransport.Configuration.defaults
    configuration.headerTimeout = Self.soon
    try await TestServer.withBystander(configuration) { server, address in
      for cut in [9, 20] {
        let client = try WireClient(to: address, on: server.loops.loops[0])
        client.send(Array(WireFrame.headers(1, WireHeaders.request()).bytes.prefix(cut)))
        #expect(await client.goAway()?.words == "header_timeout")
      }
      let client = try WireClient(to: address, on: server.loops.loops[0])
      client.send(.headers(1, WireHeaders.request(), endHeaders: false))
      #expect(await client.goAway()?.words == "header_timeout")
    }
  }

  @Test func aRequestThatIsOpenIsNotLate() async throws {
    var configuration = HTTP2ServerTransport.Configuration.defaults
    configuration.headerTimeout = .zero
    configuration.handshakeTimeout = .seconds(30)
    try await TestServer.with(.ipv4(host: "127.0.0.1", port: 0), configuration) { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0])
      client.send(.headers(1, WireHeaders.request()))
      // Half a message: that may take as long as it takes.
      client.send([0, 0, 6, 0, 0, 0, 0, 0, 1, 0, 0, 0])
      client.send([0, 1, 7])
      client.send(WireFrame(.data, flags: 1, stream: 1))
      let answer = await client.answer(to: 1)
      #expect(answer.fields["grpc-status"] == "0")
      client.close()
    }
  }

  @Test func anIdleConnectionIsGivenUp() async throws {
    var configuration = HTTP2ServerTransport.Configuration.defaults
    configuration.maxConnectionIdle = Self.soon
    try await TestServer.with(.ipv4(host: "127.0.0.1", port: 0), configuration) { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0])
      try await expectDoubleGoAway(client, lastStream: 0)
    }
  }

  @Test func aClientThatDoesNotAnswerTheGoAwayIsGivenUpAllTheSame() async throws {
    var configuration = HTTP2ServerTransport.Configuration.defaults
    configuration.maxConnectionIdle = Self.soon
    configuration.announcementTime = Self.soon
    try await TestServer.with(.ipv4(host: "127.0.0.1", port: 0), configuration) { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0])
      var lastStreams: [UInt32] = []
      for await frame in client.frames where frame.kind == .goAway {
        #expect(frame.code == Self.noError)
        lastStreams.append(WireFrame.number(frame.payload[...]))
      }
      #expect(lastStreams == [0x7fff_ffff, 0])
    }
  }

  @Test func aClientThatOpensCallsAllTheTimeIsTooOldAllTheSame() async throws {
    var configuration = HTTP2ServerTransport.Configuration.defaults
    configuration.maxConnectionAge = Self.soon
    configuration.announcementTime = Self.soon
    try await TestServer.with(.ipv4(host: "127.0.0.1", port: 0), configuration) { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0])
      var stream: UInt32 = 1
      // It ends with the connection.
      repeat {
        client.send(.headers(stream, WireHeaders.request()), .message(stream))
        stream += 2
      } while await client.answer(to: stream - 2).fields["grpc-status"] == "0"
    }
  }

  @Test func aConnectionThatIsTooOldIsGivenUpWhenItsCallsAreDone() async throws {
    var configuration = HTTP2ServerTransport.Configuration.defaults
    configuration.maxConnectionAge = Self.soon
    try await TestServer.with(.ipv4(host: "127.0.0.1", port: 0), configuration) { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0])
      client.send(.headers(1, WireHeaders.request("/test.Echo/Collect")))
      let first = try #require(await client.first { $0.kind == .goAway })
      #expect(WireFrame.number(first.payload[...]) == 0x7fff_ffff)
      // A call that was on its way when the server said so is served.
      client.send(.headers(3, WireHeaders.request()), .message(3))
      #expect(await client.answer(to: 3).fields["grpc-status"] == "0")
      client.send(.message(1))
      #expect(await client.answer(to: 1).fields["grpc-status"] == "0")
      client.close()
    }
  }

  @Test func theCallsOfAConnectionThatIsTooOldAreEndedAfterItsGrace() async throws {
    var configuration = HTTP2ServerTransport.Configuration.defaults
    configuration.maxConnectionAge = .milliseconds(200)
    configuration.maxConnectionAgeGrace = .milliseconds(200)
    try await TestServer.with(.ipv4(host: "127.0.0.1", port: 0), configuration) { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0])
      client.send(.headers(1, WireHeaders.request("/test.Echo/Hang")), .message(1))
      #expect(await client.answer(to: 1).fields["grpc-status"] == "14")
      #expect(await client.goAway()?.code == Self.noError)
    }
  }

  @Test(arguments: [true, false])
  func aSilentClientIsAskedAndThenGivenUp(withoutCalls: Bool) async throws {
    var configuration = HTTP2ServerTransport.Configuration.defaults
    configuration.keepalive = Keepalive(
      time: Self.soon, timeout: Self.soon, permitWithoutCalls: withoutCalls)
    try await TestServer.with(.ipv4(host: "127.0.0.1", port: 0), configuration) { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0])
      if !withoutCalls {
        client.send(.headers(1, WireHeaders.request("/test.Echo/Hang")), .message(1))
      }
      var hasAsked = false
      for await frame in client.frames where frame.kind == .ping { hasAsked = true }
      #expect(hasAsked)
    }
  }

  @Test func theAgeVariesByATenth() {
    var random = SeededGenerator(seed: 7)
    let ages = (0..<1000).map { _ in
      ServerConnection.jittered(.seconds(100), using: &random) / .seconds(1)
    }
    #expect(ages.allSatisfy { (90...110).contains($0) })
    #expect((ages.min() ?? 0) < 91 && (ages.max() ?? 0) > 109)
  }

  @Test func aConnectionTooManyIsClosed() async throws {
    var configuration = HTTP2ServerTransport.Configuration.defaults
    configuration.maxConnections = 2
    try await TestServer.with(.ipv4(host: "127.0.0.1", port: 0), configuration) { server, address in
      let loop = server.loops.loops[0]
      let two = try (0..<2).map { _ in try WireClient(to: address, on: loop) }
      for client in two { _ = await client.first { $0.kind == .settings } }
      let third = try WireClient(to: address, on: loop)
      #expect(await third.first { _ in true } == nil)
      two[0].close()
      // There is room again as soon as the server has seen the first one go.
      var next: WireFrame?
      while next == nil { next = await (try WireClient(to: address, on: loop)).first { _ in true } }
      #expect(next?.kind == .settings)
      two[1].close()
    }
  }
}

/// The first GOAWAY names no stream; the second comes when the client has shown that it has seen the first.
func expectDoubleGoAway(_ client: WireClient, lastStream: UInt32) async throws {
  let first = try #require(await client.first { $0.kind == .goAway })
  #expect(WireFrame.number(first.payload[...]) == 0x7fff_ffff)
  #expect(first.code == 0)
  var ping = try #require(await client.first { $0.kind == .ping })
  ping.flags = WireFrame.acknowledgement
  client.send(ping)
  let second = try #require(await client.first { $0.kind == .goAway })
  #expect(WireFrame.number(second.payload[...]) == lastStream)
  #expect(second.code == 0)
}
