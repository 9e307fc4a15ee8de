import GRPCCore
import Synchronization
import Testing

@testable import GRPCHTTP2Transport

/// What a channel does when it has no calls for a while, and when the next one comes.
@Suite(.timeLimit(.minutes(1))) struct IdleChannelTests {
  private let socket = TestSocket()

  private var configuration: HTTP2ClientTransport.Configuration {
    var configuration = socket.configuration
    configuration.idleTimeout = .milliseconds(20)
    return configuration
  }

  private func isIdle(_ transport: HTTP2ClientTransport) async {
    for await state in transport.connectivityStates where state == .idle { break }
  }

  private func ways(_ transport: HTTP2ClientTransport) async -> [ChannelStatus.Subchannel] {
    (await transport.status.endpoints ?? []).flatMap(\.subchannels)
  }

  @Test(
    arguments: [
      PickFirst(), RoundRobin(), LeastRequest(), RingHash(), WeightedRoundRobin(),
      OutlierDetection(child: RandomSubsetting(size: 1)), PriorityFailover { OutlierDetection() },
    ] as [any LoadBalancingPolicy])
  func everythingIsGivenUpUntilTheNextCall(policy: any LoadBalancingPolicy) async throws {
    var configuration = configuration
    configuration.loadBalancing = policy
    let server = try socket.server()
    let transport = try socket.transport(configuration)
    try await withGRPCClient(transport: transport) { client in
      let echo = EchoClient(client: client)
      for number in UInt8(1)...3 {
        try await echo.expectEcho(of: [number])
        await isIdle(transport)
        let way = try #require(await ways(transport).first)
        #expect(way.state == .idle && way.openConnections == 0)
        #expect(way.connectionsMade == Int(number) && way.picks == Int(number))
        #expect(way.disconnections == way.connectionsMade)
        #expect(way.disconnectErrors.count == 1 && way.connectionsFailed == 0)
      }
    }
    await server.kill()
  }

  @Test func nothingIsWatchedThatNobodyNeeds() async throws {
    let (paths, path) = AsyncStream.makeStream(of: String.self)
    let server = try socket.server { stream in
      stream.onEnd = {
        guard let name = $0.headers[":path"], !name.hasPrefix("/test.") else { return $0.echo() }
        $0.begin()
        if name.hasPrefix("/grpc.health") { $0.send([8, 1]) }
        path.yield(name)
      }
    }
    var configuration = configuration
    configuration.serviceConfig = ServiceConfig(
      loadBalancingConfig: [
        ServiceConfig.LoadBalancingConfig(
          name: WeightedRoundRobin.name,
          configuration: .object(["enableOobLoadReport": .bool(true)]
          ))
      ], healthCheckServiceName: "test.Echo")
    let transport = try socket.transport(configuration)
    try await withGRPCClient(transport: transport) { client in
      var begun = paths.makeAsyncIterator()
      var closes = server.closes.makeAsyncIterator()
      for _ in 0..<2 {
        try await EchoClient(client: client).expectEcho(of: [1])
        for _ in 0..<2 { _ = await begun.next() }
        // The call's, and both that lasted.
        for _ in 0..<3 { _ = await closes.next() }
        await isIdle(transport)
      }
    }
    await server.kill()
  }

  @Test func aCallThatLastsKeepsItsChannel() async throws {
    let (arrivals, arrival) = AsyncStream.makeStream(of: ScriptedStream.self)
    let server = try socket.server { $0.onEnd = { arrival.yield($0) } }
    let transport = try socket.transport(configuration)
    let other = TestSocket()
    let otherServer = try other.server()
    try await withGRPCClient(transport: transport) { client in
      async let call = EchoClient(client: client).echo([1])
      var streams = arrivals.makeAsyncIterator()
      let stream = try #require(await streams.next())
      // As long as another one takes, several times.
      let idler = try other.transport(configuration)
      try await withGRPCClient(transport: idler) { client in
        for number in UInt8(0)..<3 {
          try await EchoClient(client: client).expectEcho(of: [number])
          await isIdle(idler)
        }
      }
      #expect(await ways(transport).map(\.state) == [.ready])
      await server.onLoop { _ in stream.echo() }
      #expect(try await call == [1])
      await isIdle(transport)
    }
    await server.kill()
    await otherServer.kill()
  }

  @Test func aChannelMayBeKept() async throws {
    var configuration = configuration
    configuration.idleTimeout = nil
    let server = try socket.server()
    let transport = try socket.transport(configuration)
    try await withGRPCClient(transport: transport) { client in
      try await EchoClient(client: client).expectEcho(of: [1])
      let timer = await withCheckedContinuation { continuation in
        transport.channel.tell { continuation.resume(returning: $0.idleTimer != nil) }
      }
      #expect(!timer)
    }
    await server.kill()
  }

  @Test func whoJoinsMeanwhileIsFoundByTheNextCall() async throws {
    func replica(_ name: String) throws -> ScriptedServer {
      try ScriptedServer(.unixDomainSocket(path: "\(socket.folder.path)/\(name).sock")) {
        $0.onEnd = { $0.respond(messages: [Array(name.utf8)]) }
      }
    }
    var configuration = configuration
    configuration.loadBalancing = .roundRobin
    let transport = try HTTP2ClientTransport(
      target: .unixDirectory(path: socket.folder.path), configuration: configuration)
    try await withGRPCClient(transport: transport) { client in
      let echo = EchoClient(client: client)
      let a = try replica("a")
      let first = try await echo.echo([], options: .waiting)
      #expect(first == Array("a".utf8))
      await isIdle(transport)
      let b = try replica("b")
      await a.kill()
      #expect(await b.onLoop { $0.connections.isEmpty })
      let second = try await echo.echo([])
      #expect(second == Array("b".utf8))
      await b.kill()
    }
  }

  @Test func aShutdownWhileIdleEndsAtOnce() async throws {
    let server = try socket.server()
    let transport = try socket.transport(configuration)
    let client = GRPCClient(transport: transport)
    let run = Task { try await client.runConnections() }
    try await EchoClient(client: client).expectEcho(of: [1])
    await isIdle(transport)
    client.beginGracefulShutdown()
    try await run.value
    #expect(await transport.status.state == .shutdown)
    await server.kill()
  }

  // MARK: Resolving again

  /// A target that is looked up, each time as the test says, and tells when a resolver of it ends.
  private struct Scripted: ResolvableTarget, NameResolverFactory {
    let mode: NameResolver.UpdateMode
    let lookup: @Sendable (_ number: Int) async throws -> [SocketAddress]
    let lookups = Counter()
    let ends = AsyncStream.makeStream(of: Void.self)

    func resolver(for target: Scripted) -> NameResolver {
      let (results, continuation) = AsyncThrowingStream.makeStream(
        of: NameResolutionResult.self)
      continuation.onTermination = { _ in target.ends.continuation.yield() }
      let pulled = AsyncThrowingStream { try await target.result() }
      guard mode == .push else {
        return NameResolver(
          names: RPCAsyncSequence(wrapping: pulled), updateMode: .pull, authority: nil)
      }
      Task {
        do {
          continuation.yield(try await target.result())
        } catch {
          continuation.finish(throwing: error)
        }
      }
      return NameResolver(
        names: RPCAsyncSequence(wrapping: results), updateMode: .push, authority: nil)
    }

    private func result() async throws -> NameResolutionResult {
      NameResolutionResult(
        endpoints: try await lookup(lookups.next()).map { Endpoint(addresses: [$0]) })
    }

    func transport(
      _ configuration: HTTP2ClientTransport.Configuration
    ) throws -> HTTP2ClientTransport {
      var configuration = configuration
      var registry = NameResolverRegistry()
      registry.registerFactory(self)
      configuration.resolverRegistry = registry
      return try HTTP2ClientTransport(target: self, configuration: configuration)
    }
  }

  /// Both listen the whole time, so that it is the resolver that decides.
  @Test(arguments: [NameResolver.UpdateMode.push, .pull])
  func theNextCallGoesWhereTheTargetIsByThen(mode: NameResolver.UpdateMode) async throws {
    let servers = try ["a", "b"].map { name in
      try ScriptedServer(.unixDomainSocket(path: "\(socket.folder.path)/\(name).sock")) {
        $0.onEnd = { $0.respond(messages: [Array(name.utf8)]) }
      }
    }
    let addresses = servers.map(\.address)
    let target = Scripted(mode: mode) { [addresses[min($0, 1)]] }
    let transport = try target.transport(configuration)
    try await withGRPCClient(transport: transport) { client in
      let echo = EchoClient(client: client)
      let first = try await echo.echo([])
      #expect(first == Array("a".utf8))
      await isIdle(transport)
      if mode == .push { for await _ in target.ends.stream { break } }
      let second = try await echo.echo([])
      #expect(second == Array("b".utf8))
    }
    #expect(target.lookups.next() >= 2)
    for server in servers { await server.kill() }
  }

  @Test(arguments: [NameResolver.UpdateMode.push, .pull])
  func whereTheTargetWasIsBetterThanNothing(mode: NameResolver.UpdateMode) async throws {
    let server = try socket.server()
    let target = Scripted(mode: mode) { number in
      guard number == 0 else { throw RPCError(code: .unavailable, message: "out of reach") }
      return [server.address]
    }
    let transport = try target.transport(configuration)
    try await withGRPCClient(transport: transport) { client in
      for number in UInt8(1)...3 {
        try await EchoClient(client: client).expectEcho(of: [number])
        await isIdle(transport)
      }
    }
    await server.kill()
  }

  @Test func anIdleChannelDoesNotLookForWhoIsNotFound() async throws {
    let (lookups, lookup) = AsyncStream.makeStream(of: Void.self)
    let target = Scripted(mode: .push) { _ in
      lookup.yield()
      // For ever.
      try await Task.sleep(for: .seconds(3600))
      return []
    }
    let transport = try target.transport(configuration)
    try await withGRPCClient(transport: transport) { client in
      var lookups = lookups.makeAsyncIterator()
      var ends = target.ends.stream.makeAsyncIterator()
      await lookups.next()
      for _ in 0..<2 {
        await ends.next()
        let call = Task { try await EchoClient(client: client).unary([1], options: .waiting) }
        await lookups.next()
        call.cancel()
        let error = await #expect(throws: RPCError.self) { try await call.value.message }
        #expect(error?.code == .cancelled)
      }
    }
  }
}
