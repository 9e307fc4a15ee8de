import EventLoop
import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

/// Channels that share their connections.
@Suite(.timeLimit(.minutes(1))) struct ConnectionPoolTests {
  private let folder = TemporaryFolder()
  private let pool = ConnectionPool()

  private var address: SocketAddress { .unixDomainSocket(path: "\(folder.path)/s.sock") }

  private func transport(
    _ change: (inout HTTP2ClientTransport.Configuration) -> Void = { _ in }
  ) throws -> HTTP2ClientTransport {
    var configuration = HTTP2ClientTransport.Configuration.defaults
    configuration.connectionPool = pool
    configuration.backoff = ConnectionBackoff(
      initial: .milliseconds(10), maximum: .milliseconds(50))
    change(&configuration)
    return try HTTP2ClientTransport(target: "\(address)", configuration: configuration)
  }

  /// Runs two channels.
  private func withClients(
    _ first: HTTP2ClientTransport, _ second: HTTP2ClientTransport,
    _ body: (EchoClient, EchoClient) async throws -> Void
  ) async throws {
    try await withGRPCClient(transport: first) { first in
      try await withGRPCClient(transport: second) { second in
        try await body(EchoClient(client: first), EchoClient(client: second))
      }
    }
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
    let server = try ScriptedServer(address)
    try await withClients(try transport(), try transport()) { first, second in
      for number in UInt8(0)..<10 {
        try await first.expectEcho(of: [number])
        try await second.expectEcho(of: [number])
      }
      #expect(await server.onLoop { $0.connections.count } == 1)
      #expect(await addressCount() == 1)
    }
    #expect(await addressCount() == 0)
    var closes = server.closes.makeAsyncIterator()
    for _ in 0..<20 { #expect(await closes.next() == "NO_ERROR") }
    await server.kill()
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
    let server = try ScriptedServer(address)
    try await withClients(try transport(), try transport(change)) { first, second in
      try await first.expectEcho(of: [1])
      try await second.expectEcho(of: [1])
      #expect(await server.onLoop { $0.connections.count } == 2)
    }
    await server.kill()
  }

  @Test func securityAndDialersAreCompared() throws {
    func key(
      _ security: HTTP2ClientTransport.TransportSecurity, _ dialer: (any Dialer)? = nil
    ) throws -> ConnectionPool.Key? {
      var configuration = HTTP2ClientTransport.Configuration.defaults
      configuration.dialer = dialer
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
    let (arrivals, handler) = arrivals()
    let server = try ScriptedServer(address, handler: handler)
    try await withGRPCClient(transport: try transport()) { other in
      let other = EchoClient(client: other)
      var streams = arrivals.makeAsyncIterator()
      async let others = other.echo([1])
      let othersStream = try #require(await streams.next())
      let client = GRPCClient(transport: try transport())
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await client.runConnections() }
        async let own = EchoClient(client: client).echo([1])
        let ownStream = try #require(await streams.next())
        client.beginGracefulShutdown()
        try await other.expectEcho(of: [2])
        await server.onLoop { _ in ownStream.echo() }
        #expect(try await own == [1])
        // The other's call is still on its way.
        try await group.waitForAll()
      }
      await server.onLoop { _ in othersStream.echo() }
      #expect(try await others == [1])
      try await other.expectEcho(of: [3])
      #expect(await server.onLoop { $0.connections.count } == 1)
    }
    await server.kill()
  }

  @Test func aChannelThatIsCancelledFailsItsOwnCalls() async throws {
    let (arrivals, handler) = arrivals()
    let server = try ScriptedServer(address, handler: handler)
    try await withGRPCClient(transport: try transport()) { other in
      let other = EchoClient(client: other)
      var streams = arrivals.makeAsyncIterator()
      async let others = other.echo([1])
      let othersStream = try #require(await streams.next())
      let client = GRPCClient(transport: try transport())
      let running = Task { try await client.runConnections() }
      async let own = EchoClient(client: client).unary([1])
      _ = await streams.next()
      running.cancel()
      let response = try await own
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .unavailable)
      try await running.value
      await server.onLoop { _ in othersStream.echo() }
      #expect(try await others == [1])
    }
    await server.kill()
  }

  @Test func aLostConnectionIsMadeAgainOnce() async throws {
    let server = try ScriptedServer(address)
    let transports = [try transport(), try transport()]
    try await withClients(transports[0], transports[1]) { first, second in
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
    await server.kill()
  }

  @Test func afterGoAwayAllGoElsewhere() async throws {
    let server = try ScriptedServer(address)
    try await withClients(try transport(), try transport()) { first, second in
      try await first.expectEcho(of: [1])
      try await second.expectEcho(of: [1])
      await server.goAway()
      try await first.expectEcho(of: [2])
      try await second.expectEcho(of: [2])
      #expect(await server.onLoop { $0.connections.count } == 2)
    }
    await server.kill()
  }

  /// Who checks health sends no calls to a server that is not healthy; who does not, does.
  @Test func eachChecksHealthForItself() async throws {
    let server = try ScriptedServer(address) { stream in
      stream.onEnd = {
        guard $0.headers[":path"] == "/grpc.health.v1.Health/Watch" else { return $0.echo() }
        $0.begin()
        $0.send([8, 2])
      }
    }
    let careful = try transport {
      $0.serviceConfig = ServiceConfig(
        loadBalancingConfig: [.roundRobin], healthCheckServiceName: "test.Echo")
    }
    try await withClients(careful, try transport()) { careful, careless in
      try await careless.expectEcho(of: [1])
      let response = try await careful.unary([2])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.message.contains("SERVING") == true)
      try await careless.expectEcho(of: [3])
      #expect(await server.onLoop { $0.connections.count } == 1)
    }
    await server.kill()
  }

  @Test func aBackoffIsEverybodys() async throws {
    let backoff = ConnectionBackoff(initial: .seconds(600), maximum: .seconds(600))
    let transports = [
      try transport { $0.backoff = backoff }, try transport { $0.backoff = backoff },
    ]
    try await withClients(transports[0], transports[1]) { first, second in
      for echo in [first, second] {
        let response = try await echo.unary([1])
        let error = #expect(throws: RPCError.self) { try response.message }
        #expect(error?.code == .unavailable)
      }
      let way = await transports[1].status.endpoints?.first?.subchannels.first
      #expect(way?.connectionsFailed == 1)
    }
  }
}
