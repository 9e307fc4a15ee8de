import EventLoop
import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

/// Channels that share their connections.
@Suite(.timeLimit(.minutes(1))) struct ConnectionPoolTests {
  private let socket = TestSocket()
  private let pool = ConnectionPool()

  private func transport(
    _ change: (inout HTTP2ClientTransport.Configuration) -> Void = { _ in }
  ) throws -> HTTP2ClientTransport {
    var configuration = socket.configuration
    configuration.connectionPool = pool
    change(&configuration)
    return try socket.transport(configuration)
  }

  /// Runs two channels of a server, of which one may be of its own kind.
  private func withClients(
    _ change: (inout HTTP2ClientTransport.Configuration) -> Void = { _ in },
    handler: @escaping ScriptedServer.Handler = { $0.onEnd = { $0.echo() } },
    _ body: (_ changed: EchoClient, _ other: EchoClient, ScriptedServer) async throws -> Void
  ) async throws {
    let server = try socket.server(handler)
    let transports = (try transport(change), try transport())
    try await withGRPCClient(transport: transports.0) { first in
      try await withGRPCClient(transport: transports.1) { second in
        try await body(
          EchoClient(client: first, transport: transports.0),
          EchoClient(client: second, transport: transports.1), server)
      }
    }
    await server.kill()
  }

  /// A channel that runs, its call that a server holds, and another channel, which has such a call as well.
  private struct Held {
    let client: GRPCClient<HTTP2ClientTransport>
    let run: Task<Void, any Error>
    let call: Task<[UInt8], any Error>
    let stream: ScriptedStream
    let other: EchoClient
  }

  /// Runs two channels of which the first is to end, and expects that this is nothing to the other.
  private func withHeldCalls(_ end: (Held) async throws -> Void) async throws {
    let (arrivals, handler) = arrivals()
    var streams = arrivals.makeAsyncIterator()
    let server = try socket.server(handler)
    try await withGRPCClient(transport: transport()) { other in
      let other = EchoClient(client: other)
      async let others = other.echo([1])
      let othersStream = try #require(await streams.next())
      let client = GRPCClient(transport: try transport())
      let run = Task { try await client.runConnections() }
      let call = Task { try await EchoClient(client: client).echo([1]) }
      let stream = try #require(await streams.next())
      try await end(Held(client: client, run: run, call: call, stream: stream, other: other))
      try await run.value
      await server.onLoop { _ in othersStream.echo() }
      #expect(try await others == [1])
      try await other.expectEcho(of: [3])
      #expect(await server.onLoop { $0.connections.count } == 1)
    }
    await server.kill()
  }

  private func addressCount() async -> Int {
    await withCheckedContinuation { continuation in
      pool.eventLoop.execute { [pool] in continuation.resume(returning: pool.count) }
    }
  }

  /// Hands out requests whose message is 1, and echoes others.
  private func arrivals() -> (AsyncStream<ScriptedStream>, ScriptedServer.Handler) {
    let (arrivals, arrival) = AsyncStream.makeStream(of: ScriptedStream.self)
    return (
      arrivals, { $0.onEnd = { if $0.message == [1] { arrival.yield($0) } else { $0.echo() } } }
    )
  }

  @Test func oneConnectionCarriesTheCallsOfAll() async throws {
    try await withClients { first, second, server in
      for number in UInt8(0)..<10 {
        try await first.expectEcho(of: [number])
        try await second.expectEcho(of: [number])
      }
      #expect(await server.onLoop { $0.connections.count } == 1)
      #expect(await addressCount() == 1)
      var closes = server.closes.makeAsyncIterator()
      for _ in 0..<20 { #expect(await closes.next() == "NO_ERROR") }
    }
    #expect(await addressCount() == 0)
  }

  private struct Own: Dialer {
    func dial(_ address: SocketAddress, on eventLoop: EventLoop) async throws -> Int32 {
      try await ForwardedVsockDialer(port: 1).dial(address, on: eventLoop)
    }
  }

  @Test(
    arguments: [
      { $0.authority = "other" }, { $0.keepalive = Keepalive(time: .seconds(60)) },
      { $0.connectTimeout = .seconds(7) }, { $0.initialWindowBytes = 70_000 },
      { $0.maxMetadataBytes = 9000 }, { $0.compression = .none },
      { $0.backoff = ConnectionBackoff(initial: .milliseconds(11)) }, { $0.connectionPool = nil },
      { $0.connectionPool = ConnectionPool() },
    ] as [@Sendable (inout HTTP2ClientTransport.Configuration) -> Void])
  func whoConnectsInAnotherWayHasAConnectionOfHisOwn(
    change: @Sendable (inout HTTP2ClientTransport.Configuration) -> Void
  ) async throws {
    try await withClients(change) { first, second, server in
      try await first.expectEcho(of: [1])
      try await second.expectEcho(of: [1])
      #expect(await server.onLoop { $0.connections.count } == 2)
    }
  }

  @Test func securityAndDialersAreCompared() throws {
    func key(
      _ security: HTTP2ClientTransport.TransportSecurity, _ dialer: (any Dialer)? = nil
    ) throws -> ConnectionPool.Key? {
      var configuration = HTTP2ClientTransport.Configuration.defaults
      configuration.dialer = dialer
      let address = SocketAddress.unixDomainSocket(path: socket.path)
      return ConnectionPool.Key(
        address, of: Endpoint(addresses: [address]), authority: "a",
        security: try ClientSecurity(security)?.identity, configuration)
    }
    #expect(try key(.plaintext) == key(.plaintext))
    #expect(try key(.plaintext) != key(.tls))
    #expect(try key(.tls) == key(.tls))
    #expect(try key(.tls) != key(.tls { $0.serverName = "b" }))
    #expect(try key(.tls) != key(.tls { $0.serverCertificateVerification = .noVerification }))
    #expect(
      try key(.plaintext, .forwardedVsock(port: 1)) == key(.plaintext, .forwardedVsock(port: 1)))
    #expect(
      try key(.plaintext, .forwardedVsock(port: 1)) != key(.plaintext, .forwardedVsock(port: 2)))
    // Nobody knows whether it is the same.
    #expect(try key(.plaintext, Own()) == nil)
  }

  @Test func aShutdownWaitsForItsOwnCallsAndLeavesTheOthersAlone() async throws {
    try await withHeldCalls { held in
      held.client.beginGracefulShutdown()
      try await held.other.expectEcho(of: [2])
      await held.stream.server.onLoop { _ in held.stream.echo() }
      #expect(try await held.call.value == [1])
    }
  }

  @Test func aChannelThatIsCancelledFailsItsOwnCalls() async throws {
    try await withHeldCalls { held in
      held.run.cancel()
      let error = await #expect(throws: RPCError.self) { try await held.call.value }
      #expect(error?.code == .unavailable)
    }
  }

  @Test func aLostConnectionIsMadeAgainOnce() async throws {
    try await withClients { first, second, server in
      let transports = [first, second].compactMap(\.transport)
      try await first.expectEcho(of: [1])
      try await second.expectEcho(of: [2])
      await server.onLoop { for connection in $0.connections { connection.close() } }
      for transport in transports {
        for await state in transport.connectivityStates where state != .ready { break }
      }
      for echo in [first, second] { try await echo.expectEcho(of: [3]) }
      #expect(await server.onLoop { $0.connections.count } == 2)
      for transport in transports {
        let way = await transport.status.endpoints?.first?.subchannels.first
        #expect(way?.connectionsMade == 2 && way?.openConnections == 1)
      }
    }
  }

  @Test func afterGoAwayAllGoElsewhere() async throws {
    try await withClients { first, second, server in
      try await first.expectEcho(of: [1])
      try await second.expectEcho(of: [1])
      await server.goAway()
      try await first.expectEcho(of: [2])
      try await second.expectEcho(of: [2])
      #expect(await server.onLoop { $0.connections.count } == 2)
    }
  }

  /// Who checks health sends no calls to a server that is not healthy; who does not, does.
  @Test func eachChecksHealthForItself() async throws {
    try await withClients {
      $0.serviceConfig = ServiceConfig(
        loadBalancingConfig: [.roundRobin], healthCheckServiceName: "test.Echo")
    } handler: { stream in
      stream.onEnd = {
        guard $0.headers[":path"] == "/grpc.health.v1.Health/Watch" else { return $0.echo() }
        $0.begin()
        $0.send([8, 2])
      }
    } _: { careful, careless, server in
      try await careless.expectEcho(of: [1])
      let response = try await careful.unary([2])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.message.contains("SERVING") == true)
      try await careless.expectEcho(of: [3])
      #expect(await server.onLoop { $0.connections.count } == 1)
    }
  }

  @Test func aBackoffIsEverybodys() async throws {
    let backoff = ConnectionBackoff(initial: .seconds(600), maximum: .seconds(600))
    let transports = (
      try transport { $0.backoff = backoff }, try transport { $0.backoff = backoff }
    )
    // There is no server.
    try await withGRPCClient(transport: transports.0) { first in
      try await withGRPCClient(transport: transports.1) { second in
        for client in [first, second] {
          let response = try await EchoClient(client: client).unary([1])
          let error = #expect(throws: RPCError.self) { try response.message }
          #expect(error?.code == .unavailable)
        }
        let way = await transports.1.status.endpoints?.first?.subchannels.first
        #expect(way?.connectionsFailed == 1)
      }
    }
  }

  /// A call keeps its connection, whoever was the last to leave that, and is there no more.
  @Test func aCallOutlivesTheChannelsThatLeft() async throws {
    let (arrivals, handler) = arrivals()
    let server = try socket.server(handler)
    let target = PushedTarget()
    try await withGRPCClient(transport: target.transport { $0.connectionPool = pool }) { client in
      target.resolve([.unixDomainSocket(path: socket.path)])
      async let own = EchoClient(client: client).echo([1])
      var streams = arrivals.makeAsyncIterator()
      let stream = try #require(await streams.next())
      let last = try await channelThatLeaves {
        // The server of the call is none of its channel's any more.
        target.resolve([.unixDomainSocket(path: "\(socket.path)~")])
        while await addressCount() != 2 { await Task.yield() }
      }
      while last.channel != nil { await Task.yield() }
      await server.onLoop { _ in stream.echo() }
      #expect(try await own == [1])
    }
    await server.kill()
  }

  private struct Former {
    weak var channel: Channel?
  }

  /// A channel that makes a call over the connection of others, and is shut down.
  private func channelThatLeaves(after: () async throws -> Void) async throws -> Former {
    let target = PushedTarget()
    let transport = try target.transport { $0.connectionPool = pool }
    try await withGRPCClient(transport: transport) { client in
      target.resolve([.unixDomainSocket(path: socket.path)])
      try await EchoClient(client: client).expectEcho(of: [2])
      try await after()
    }
    return Former(channel: transport.channel)
  }
}
