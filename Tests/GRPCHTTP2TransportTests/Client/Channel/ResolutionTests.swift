import EventLoop
import GRPCCore
import KartTesting
import Testing

@testable import GRPCHTTP2Transport

/// How a channel goes on asking who its servers are.
@Suite(.timeLimit(.minutes(1))) struct ResolutionTests {
  private let socket = TestSocket()

  @Test func aResolverThatFindsNothingFailsCalls() async throws {
    let target = PushedTarget()
    target.finish()
    let transport = try target.transport { $0.backoff = socket.configuration.backoff }
    try await withGRPCClient(transport: transport) { client in
      let response = try await EchoClient(client: client).unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .unavailable && error?.message.contains("found nothing") == true)
    }
  }

  /// A target that is looked up when its channel asks, at first in vain.
  private struct Pulled: ResolvableTarget, NameResolverFactory {
    let address: SocketAddress
    let lookups = Counter()

    func resolver(for target: Pulled) -> NameResolver {
      let results = AsyncThrowingStream {
        NameResolutionResult(
          endpoints: target.lookups.next() < 3 ? [] : [Endpoint(addresses: [target.address])])
      }
      return NameResolver(
        names: RPCAsyncSequence(wrapping: results), updateMode: .pull, authority: nil)
    }
  }

  /// A target that is looked up, each time with an outcome of its own.
  private struct Scripted: ResolvableTarget, NameResolverFactory {
    let lookup: @Sendable (_ number: Int) throws -> [SocketAddress]
    let lookups = AsyncStream.makeStream(of: Int.self)
    let counter = Counter()

    var resolver: NameResolver {
      let results = AsyncThrowingStream {
        let number = counter.next()
        lookups.continuation.yield(number)
        return NameResolutionResult(
          endpoints: try lookup(number).map { Endpoint(addresses: [$0]) })
      }
      return NameResolver(
        names: RPCAsyncSequence(wrapping: results), updateMode: .pull, authority: nil)
    }

    func resolver(for target: Scripted) -> NameResolver { target.resolver }

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

  /// Nobody listens where the name leads, so that it is asked for again and again.
  @Test func aNameIsNotLookedUpAgainBeforeItsTime() async throws {
    let clock = ManualClock()
    let target = Scripted { _ in [.unixDomainSocket(path: socket.path)] }
    var configuration = HTTP2ClientTransport.Configuration.defaults
    configuration.backoff = ConnectionBackoff(initial: .milliseconds(1), maximum: .milliseconds(1))
    configuration.minimumResolutionInterval = .seconds(30)
    let channel = Channel(
      configuration: configuration, security: nil, on: EventLoopGroup.shared.next())
    try await channel.run()
    let task = Task(executorPreference: channel.loop) {
      await Resolution(channel: channel, clock: clock) { target.resolver }.run()
    }
    func failures() async -> Int {
      await withCheckedContinuation { continuation in
        channel.tell {
          let ways = ($0.endpoints ?? []).flatMap(\.subchannels).map(\.way)
          continuation.resume(returning: ways.map(\.connectionsFailed).reduce(0, +))
        }
      }
    }
    var lookups = target.lookups.stream.makeAsyncIterator()
    for number in 0..<3 {
      #expect(await lookups.next() == number)
      let former = await failures()
      while await failures() < former + 5 { await Task.yield() }
      await clock.sleepers()
      clock.advance(by: .seconds(30) - .nanoseconds(1))
      while await failures() < former + 10 { await Task.yield() }
      await clock.sleepers()
      #expect(target.counter.count == number + 1)
      clock.advance(by: .nanoseconds(1))
    }
    #expect(await lookups.next() == 3)
    channel.tell { $0.stop() }
    task.cancel()
    await task.value
  }

  private var patient: HTTP2ClientTransport.Configuration {
    var configuration = HTTP2ClientTransport.Configuration.defaults
    configuration.backoff = ConnectionBackoff(initial: .seconds(3600), maximum: .seconds(3600))
    return configuration
  }

  @Test(arguments: [true, false])
  func aShutdownDoesNotWaitForTheNextLookup(isGraceful: Bool) async throws {
    let target = Scripted { _ in throw RPCError(code: .unavailable, message: "out of reach") }
    let transport = try target.transport(patient)
    let run = Task { try await transport.connect() }
    for await state in transport.connectivityStates where state == .transientFailure { break }
    if isGraceful { transport.beginGracefulShutdown() } else { run.cancel() }
    _ = await run.result
    #expect(target.counter.count == 1)
  }

  // MARK: Resets of the backoff

  @Test func aResetHasTheNameLookedUpAtOnce() async throws {
    let server = try socket.server()
    let target = Scripted { number in
      guard number >= 3 else { throw RPCError(code: .unavailable, message: "out of reach") }
      return [server.address]
    }
    let transport = try target.transport(patient)
    try await withGRPCClient(transport: transport) { client in
      while target.counter.count < 4 {
        transport.resetBackoff()
        await Task.yield()
      }
      try await EchoClient(client: client).expectEcho(of: [1], options: .waiting)
    }
    #expect(target.counter.count == 4)
    await server.kill()
  }

  @Test(arguments: [PickFirst(), RoundRobin()] as [any LoadBalancingPolicy])
  func aResetConnectsAtOnce(policy: any LoadBalancingPolicy) async throws {
    var configuration = patient
    configuration.loadBalancing = policy
    // Where a socket that comes back is nothing that the resolver would tell of.
    let probe = try ScriptedServer(.ipv4(host: "127.0.0.1", port: 0))
    await probe.kill()
    let transport = try HTTP2ClientTransport(
      target: "\(probe.address)", configuration: configuration)
    try await withGRPCClient(transport: transport) { client in
      for await state in transport.connectivityStates where state == .transientFailure { break }
      transport.resetBackoff()
      while await transport.status.endpoints?.first?.subchannels.first?.connectionsFailed != 2 {
        await Task.yield()
      }
      let server = try ScriptedServer(probe.address)
      transport.resetBackoff()
      try await EchoClient(client: client).expectEcho(of: [1], options: .waiting)
      await server.kill()
    }
  }

  @Test func aNameWithoutAddressesIsLookedUpAgain() async throws {
    let server = try socket.server()
    let target = Pulled(address: server.address)
    var configuration = socket.configuration
    configuration.minimumResolutionInterval = .seconds(600)
    var registry = NameResolverRegistry()
    registry.registerFactory(target)
    configuration.resolverRegistry = registry
    let transport = try HTTP2ClientTransport(target: target, configuration: configuration)
    try await withGRPCClient(transport: transport) { client in
      try await EchoClient(client: client).expectEcho(of: [1], options: .waiting)
    }
    await server.kill()
  }
}
