import EventLoop
import GRPCCore
import Glibc
import Testing

@testable import GRPCHTTP2Transport

/// Sockets that were connected before the server had them.
@Suite(.timeLimit(.minutes(1))) struct AdoptedConnectionTests {
  private static func pair(_ type: __socket_type = SOCK_STREAM) throws -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(type.rawValue), 0, &ends) == 0 else {
      throw SystemError("socketpair")
    }
    return (ends[0], ends[1])
  }

  private static func expectAnswer(_ client: WireClient, to stream: UInt32 = 1) async {
    #expect(await client.answer(to: stream).fields["grpc-status"] == "0")
  }

  @Test func whatTheClientHasSaidAlreadyIsHeard() async throws {
    try await TestServer.with { server, _ in
      let (ours, theirs) = try Self.pair()
      let client = WireClient(ours, on: server.loops.loops[0])
      client.send(.headers(1, WireHeaders.request()), .message(1))
      try server.transport.adopt(connected: theirs)
      await Self.expectAnswer(client)
      client.close()
    }
  }

  @Test func oneThatComesBeforeTheServerListensWaits() async throws {
    let loops = EventLoopGroup(count: 1)
    let server = TestServer(.ipv4(host: "127.0.0.1", port: 0), .defaults, loops: loops)
    let (ours, theirs) = try Self.pair()
    try server.transport.adopt(connected: theirs)
    let client = WireClient(ours, on: loops.loops[0])
    client.send(.headers(1, WireHeaders.request()), .message(1))
    async let served: Void = server.listen()
    await Self.expectAnswer(client)
    server.transport.beginGracefulShutdown()
    try await expectDoubleGoAway(client, lastStream: 1)
    try await served
    await loops.shutdown()
  }

  @Test func itIsNotSentAwayForBeingIdle() async throws {
    var configuration = HTTP2ServerTransport.Configuration.defaults
    configuration.maxConnectionIdle = .milliseconds(5)
    try await TestServer.with(.ipv4(host: "127.0.0.1", port: 0), configuration) { server, address in
      let (ours, theirs) = try Self.pair()
      let adopted = WireClient(ours, on: server.loops.loops[0])
      try server.transport.adopt(connected: theirs)
      adopted.send(.headers(1, WireHeaders.request()), .message(1))
      await Self.expectAnswer(adopted)
      // Another one comes later, and is gone before it.
      let other = try WireClient(to: address, on: server.loops.loops[0])
      try await expectDoubleGoAway(other, lastStream: 0)
      adopted.send(.headers(3, WireHeaders.request()), .message(3))
      await Self.expectAnswer(adopted, to: 3)
      adopted.close()
    }
  }

  @Test func itTakesNoOthersRoom() async throws {
    var configuration = HTTP2ServerTransport.Configuration.defaults
    configuration.maxConnections = 1
    try await TestServer.with(.ipv4(host: "127.0.0.1", port: 0), configuration) { server, address in
      let loop = server.loops.loops[0]
      var adopted: [WireClient] = []
      for _ in 0..<2 {
        let (ours, theirs) = try Self.pair()
        adopted.append(WireClient(ours, on: loop))
        try server.transport.adopt(connected: theirs)
      }
      let accepted = try WireClient(to: address, on: loop)
      for client in adopted + [accepted] {
        client.send(.headers(1, WireHeaders.request()), .message(1))
        await Self.expectAnswer(client)
      }
      let another = try WireClient(to: address, on: loop)
      #expect(await another.first { _ in true } == nil)
      // Nor does one that goes make any.
      adopted[0].close()
      while server.transport.channelzState().connections.count > 2 { await Task.yield() }
      let last = try WireClient(to: address, on: loop)
      #expect(await last.first { _ in true } == nil)
      for client in adopted + [accepted] { client.close() }
    }
  }

  enum Limit: CaseIterable {
    case handshake, age, keepalive
  }

  /// Its client may be long in coming: a machine that boots, a process that starts.
  @Test(arguments: Limit.allCases) func itMayBeSilentForLongerThanAStranger(
    limit: Limit
  ) async throws {
    let soon = Duration.milliseconds(5)
    var configuration = HTTP2ServerTransport.Configuration.defaults
    configuration.announcementTime = soon
    switch limit {
    case .handshake: configuration.handshakeTimeout = soon
    case .age: configuration.maxConnectionAge = soon
    case .keepalive:
      configuration.keepalive = Keepalive(time: soon, timeout: soon, permitWithoutCalls: true)
    }
    try await TestServer.with(.ipv4(host: "127.0.0.1", port: 0), configuration) { server, address in
      let (ours, theirs) = try Self.pair()
      let adopted = WireClient(ours, on: server.loops.loops[0], greets: false)
      try server.transport.adopt(connected: theirs)
      for _ in 0..<2 {
        let stranger = try WireClient(to: address, on: server.loops.loops[0], greets: false)
        for await _ in stranger.frames {}
      }
      adopted.send(
        WireClient.preface
          + [.settings(), .headers(1, WireHeaders.request()), .message(1)].flatMap(\WireFrame.bytes)
      )
      let answer = await adopted.first { $0.kind == .goAway || $0.kind == .headers }
      #expect(answer?.kind == .headers)
      adopted.close()
    }
  }

  @Test func whatIsNoConnectedStreamIsRefused() async throws {
    try await TestServer.with { server, _ in
      let datagrams = try Self.pair(SOCK_DGRAM)
      let unconnected = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      let file = open("/dev/null", O_RDONLY)
      for descriptor in [datagrams.0, unconnected, file, -1, 1 << 20] {
        let error = #expect(throws: RuntimeError.self) {
          try server.transport.adopt(connected: descriptor)
        }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains("descriptor \(descriptor)") == true)
      }
      // They are still the caller's.
      for descriptor in [datagrams.0, datagrams.1, unconnected, file] {
        #expect(close(descriptor) == 0)
      }
    }
  }

  @Test func aServerThatIsStoppedAdoptsNobody() async throws {
    let (ours, theirs) = try Self.pair()
    let transport = HTTP2ServerTransport(listeningOn: [])
    let (early, kept) = try Self.pair()
    try transport.adopt(connected: early)
    transport.beginGracefulShutdown()
    var byte: UInt8 = 0
    #expect(recv(kept, &byte, 1, 0) == 0, "what was adopted is closed")
    let error = #expect(throws: RuntimeError.self) { try transport.adopt(connected: theirs) }
    #expect(error?.code == .serverIsStopped)
    for descriptor in [ours, theirs, kept] { #expect(close(descriptor) == 0) }
  }
}
