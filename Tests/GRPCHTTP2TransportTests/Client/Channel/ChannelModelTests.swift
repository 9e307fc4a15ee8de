import GRPCCore
import KartTesting
import Testing

@testable import GRPCHTTP2Transport

/// A channel whose servers come, go, fail and hang at random: every call ends, and none as it must not. A failure
/// names its seed, with which it happens again.
@Suite(.timeLimit(.minutes(2))) struct ChannelModelTests {
  private enum Mood: CaseIterable {
    case echoes
    case fails
    case refuses
    case neverAnswers
    case breaksOff

    func handle(_ stream: ScriptedStream) {
      switch self {
      case .echoes: stream.onEnd = { $0.echo() }
      case .fails: stream.onEnd = { $0.fail("14") }
      case .refuses: stream.reset(.refusedStream)
      case .neverAnswers: break
      case .breaksOff: stream.onEnd = { $0.connection.close() }
      }
    }
  }

  private struct World {
    let folder = TemporaryFolder()
    var moods = Mood.allCases
    var servers: [Int: ScriptedServer] = [:]

    mutating func act(_ random: inout SeededGenerator) async throws {
      let number = Int.random(in: 0..<3, using: &random)
      let mood = moods.randomElement(using: &random) ?? .echoes
      switch (servers[number], Int.random(in: 0..<4, using: &random)) {
      case (nil, _): try start(number, mood)
      case (let server?, 0):
        servers[number] = nil
        await server.kill()
      case (let server?, 1): await server.goAway()
      case (let server?, _): await server.onLoop { $0.handler = { mood.handle($0) } }
      }
    }

    mutating func heal() async throws {
      for server in servers.values {
        await server.onLoop { $0.handler = { Mood.echoes.handle($0) } }
      }
      for number in 0..<3 where servers[number] == nil { try start(number, .echoes) }
    }

    mutating func end() async {
      for server in servers.values { await server.kill() }
    }

    private mutating func start(_ number: Int, _ mood: Mood) throws {
      let path = "\(folder.path)/\(number).sock"
      servers[number] = try ScriptedServer(.unixDomainSocket(path: path)) { mood.handle($0) }
    }
  }

  private static let policies: [any LoadBalancingPolicy] = [
    PickFirst(), RoundRobin(), LeastRequest(choiceCount: 2), OutlierDetection(),
  ]

  private func transport(
    _ world: World, seed: UInt64, sharing pool: ConnectionPool? = nil
  ) throws -> HTTP2ClientTransport {
    var configuration = HTTP2ClientTransport.Configuration.defaults
    configuration.connectionPool = pool
    configuration.loadBalancing = Self.policies[Int(seed) % Self.policies.count]
    configuration.backoff = ConnectionBackoff(
      initial: .milliseconds(1), maximum: .milliseconds(4))
    configuration.minimumResolutionInterval = .milliseconds(1)
    // So soon that it happens between the calls of some.
    if !seed.isMultiple(of: 3) { configuration.idleTimeout = .milliseconds(8) }
    configuration.serviceConfig = ServiceConfig(methodConfig: [
      MethodConfig(
        names: [MethodConfig.Name(service: "")],
        executionPolicy: seed.isMultiple(of: 2)
          ? .retry(
            RetryPolicy(
              maxAttempts: 3, initialBackoff: .milliseconds(1), maxBackoff: .milliseconds(2),
              backoffMultiplier: 2, retryableStatusCodes: [.unavailable]))
          : .hedge(
            HedgingPolicy(
              maxAttempts: 3, hedgingDelay: .milliseconds(2), nonFatalStatusCodes: [.unavailable])))
    ])
    return try HTTP2ClientTransport(
      target: .unixDirectory(path: world.folder.path), configuration: configuration)
  }

  private func call(
    _ echo: EchoClient, _ number: UInt8, waits: Bool, timeout: Duration? = .milliseconds(100)
  ) async -> RPCError? {
    var options = CallOptions.defaults
    options.timeout = timeout
    options.waitForReady = waits
    do {
      let answer =
        number.isMultiple(of: 2)
        ? try await echo.echo([number], options: options)
        : try await echo.collect(options: options) { try await $0.write([number]) }.message
      #expect(answer == [number])
      return nil
    } catch let error as RPCError {
      #expect(
        [.unavailable, .deadlineExceeded, .cancelled].contains(error.code), "\(error)")
      return error
    } catch {
      // After the shutdown, calls are none of the client's any more.
      #expect(error is RuntimeError)
      return nil
    }
  }

  @Test(arguments: UInt64(0)..<16) func everyCallEnds(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    var world = World()
    let transport = try transport(world, seed: seed)
    try await withGRPCClient(transport: transport) { client in
      let echo = EchoClient(client: client)
      await withTaskGroup(of: Void.self) { calls in
        for step in 0..<60 {
          do {
            try await world.act(&random)
          } catch {
            Issue.record(error)
          }
          for number in 0..<UInt8.random(in: 0...4, using: &random) {
            let waits = Bool.random(using: &random)
            calls.addTask { _ = await call(echo, UInt8(step) &* 4 &+ number, waits: waits) }
          }
          if Int.random(in: 0..<200, using: &random) == 0 { calls.cancelAll() }
          if Int.random(in: 0..<8, using: &random) == 0 { balance(transport, &random) }
        }
      }
      // Whatever has happened: once every server is well, calls succeed.
      try await world.heal()
      while await call(echo, 1, waits: true) != nil { try Task.checkCancellation() }
    }
    #expect(await transport.status.state == .shutdown)
    await world.end()
  }

  /// Has a channel balance in another way from now on, or until its resolver has a new result.
  private func balance(_ transport: HTTP2ClientTransport, _ random: inout SeededGenerator) {
    let names = [
      "pick_first", "round_robin", "least_request", "ring_hash_experimental",
      "weighted_round_robin",
    ]
    let name = names.randomElement(using: &random) ?? "pick_first"
    transport.channel.tell { channel in
      var config = channel.serviceConfig ?? ServiceConfig()
      config.loadBalancingConfig = [ServiceConfig.LoadBalancingConfig(name: name)]
      channel.adopt(config)
      channel.balance()
    }
  }

  /// Calls that have no deadline either: of all servers those alone answer that do so sooner or later.
  @Test(arguments: UInt64(0)..<12, [Duration.milliseconds(100), nil])
  func shutdownsAtAnyMomentEndEverything(seed: UInt64, timeout: Duration?) async throws {
    var random = SeededGenerator(seed: seed)
    var world = World()
    if timeout == nil { world.moods.removeAll { $0 == .neverAnswers } }
    let transport = try transport(world, seed: seed)
    let client = GRPCClient(transport: transport)
    let running = Task { try await client.runConnections() }
    let echo = EchoClient(client: client)
    let steps = Int.random(in: 0..<15, using: &random)
    await withTaskGroup(of: Void.self) { calls in
      for step in 0..<steps {
        do {
          try await world.act(&random)
        } catch {
          Issue.record(error)
        }
        let waits = Bool.random(using: &random)
        calls.addTask { _ = await call(echo, UInt8(step), waits: waits, timeout: timeout) }
      }
      if Bool.random(using: &random) { client.beginGracefulShutdown() } else { running.cancel() }
    }
    client.beginGracefulShutdown()
    _ = await running.result
    #expect(await transport.status.state == .shutdown)
    #expect(await call(echo, 0, waits: true) == nil)
    await world.end()
  }

  @Test(arguments: UInt64(0)..<12)
  func channelsThatShareConnectionsDoNotDisturbEachOther(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    var world = World()
    let pool = ConnectionPool()
    let transports = try (0..<3).map { try transport(world, seed: seed + $0, sharing: pool) }
    let clients = transports.map { GRPCClient(transport: $0) }
    let running = clients.map { client in Task { try await client.runConnections() } }
    await withTaskGroup(of: Void.self) { calls in
      for step in 0..<40 {
        do {
          try await world.act(&random)
        } catch {
          Issue.record(error)
        }
        for client in clients {
          let waits = Bool.random(using: &random)
          calls.addTask { _ = await call(EchoClient(client: client), UInt8(step), waits: waits) }
        }
        switch Int.random(in: 0..<40, using: &random) {
        case 0: clients[0].beginGracefulShutdown()
        case 1: running[1].cancel()
        default: break
        }
      }
    }
    // Whatever has become of the others, the last one goes on.
    try await world.heal()
    while await call(EchoClient(client: clients[2]), 1, waits: true) != nil {
      try Task.checkCancellation()
    }
    for client in clients { client.beginGracefulShutdown() }
    for task in running { _ = await task.result }
    let left = await withCheckedContinuation { continuation in
      pool.eventLoop.execute { continuation.resume(returning: pool.count) }
    }
    #expect(left == 0)
    await world.end()
  }
}
