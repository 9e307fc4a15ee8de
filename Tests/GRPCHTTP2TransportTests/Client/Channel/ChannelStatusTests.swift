import GRPCCore
import Glibc
import KartTesting
import Testing

@testable import GRPCHTTP2Transport

/// What a channel tells of itself.
@Suite(.timeLimit(.minutes(1))) struct ChannelStatusTests {
  private let folder = TemporaryFolder()

  @Test func countsWhatWasDone() async throws {
    let address = SocketAddress.unixDomainSocket(path: "\(folder.path)/s.sock")
    let seen = Counter()
    let server = try ScriptedServer(address) { stream in
      stream.onEnd = { seen.next() < 2 ? $0.fail("14") : $0.echo() }
    }
    var configuration = HTTP2ClientTransport.Configuration.defaults
    configuration.backoff = ConnectionBackoff(initial: .milliseconds(1), maximum: .milliseconds(5))
    configuration.serviceConfig = ServiceConfig(
      methodConfig: [
        MethodConfig(
          names: [MethodConfig.Name(service: "")],
          executionPolicy: .retry(
            RetryPolicy(
              maxAttempts: 4, initialBackoff: .milliseconds(1), maxBackoff: .milliseconds(2),
              backoffMultiplier: 2, retryableStatusCodes: [.unavailable])))
      ], loadBalancingConfig: [.roundRobin])
    let transport = try HTTP2ClientTransport(target: "\(address)", configuration: configuration)
    let before = await transport.status
    #expect(before.endpoints == nil && before.state == .idle && before.policy == "round_robin")
    try await withGRPCClient(transport: transport) { client in
      try await EchoClient(client: client).expectEcho(of: [1])
      let status = await transport.status
      #expect(status.target == "\(address)" && status.state == .ready)
      #expect(status.attemptsStarted == 3 && status.retries == 2)
      #expect(status.waitingCalls == 0 && status.hedges == 0 && status.ejections == 0)
      let way = try #require(status.endpoints?.first?.subchannels.first)
      #expect(way.address == address && way.state == .ready && !way.isEjected)
      #expect(way.picks == 3 && way.failedCalls == 2)
      #expect(way.connectionsMade == 1 && way.openConnections == 1 && way.disconnections == 0)

      await server.kill()
      while true {
        let way = await transport.status.endpoints?.first?.subchannels.first
        guard let way, way.connectionsFailed > 0 else { continue }
        #expect(way.failure?.code == .unavailable && way.disconnections == 1)
        #expect(way.openConnections == 0)
        break
      }
    }
    #expect(await transport.status.state == .shutdown)
  }

  @Test func countsHedgesAndEjections() async throws {
    let servers = try ["a", "b"].map { name in
      try ScriptedServer(.unixDomainSocket(path: "\(folder.path)/\(name).sock")) { stream in
        stream.onEnd = { name == "a" ? $0.fail("13") : $0.echo() }
      }
    }
    var settings = OutlierDetection.Settings()
    settings.interval = .milliseconds(1)
    settings.maxEjectionPercent = 50
    var rule = OutlierDetection.Settings.FailurePercentage()
    rule.minimumHosts = 1
    rule.requestVolume = 1
    settings.failurePercentage = rule
    var configuration = HTTP2ClientTransport.Configuration.defaults
    configuration.loadBalancing = OutlierDetection(settings)
    let transport = try HTTP2ClientTransport(
      target: .unixDirectory(path: folder.path), configuration: configuration)
    try await withGRPCClient(transport: transport) { client in
      let echo = EchoClient(client: client)
      var options = CallOptions.defaults
      options.executionPolicy = .hedge(
        HedgingPolicy(
          maxAttempts: 5, hedgingDelay: .seconds(600), nonFatalStatusCodes: [.internalError]))
      var status = await transport.status
      // As long as one server is all there is, every attempt goes there.
      while status.endpoints?.flatMap(\.subchannels).filter({ $0.state == .ready }).count != 2 {
        status = await transport.status
      }
      while status.ejections == 0 {
        try await echo.expectEcho(of: [1], options: options)
        status = await transport.status
      }
      #expect(status.hedges > 0 && status.attemptsStarted > status.hedges)
      let ejected = (status.endpoints ?? []).flatMap(\.subchannels).filter(\.isEjected)
      #expect(ejected.map(\.address) == [.unixDomainSocket(path: "\(folder.path)/a.sock")])
      #expect(ejected.first?.ejections == 1)
    }
    for server in servers { await server.kill() }
  }

  /// Channels that share a connection count for themselves what they send over it.
  @Test(arguments: [false, true])
  func countsGoOnWithASuccessorAtTheAddress(isShared: Bool) async throws {
    let address = SocketAddress.unixDomainSocket(path: "\(folder.path)/s.sock")
    var configuration = HTTP2ClientTransport.Configuration.defaults
    configuration.backoff = ConnectionBackoff(initial: .milliseconds(1), maximum: .milliseconds(5))
    configuration.connectionPool = isShared ? ConnectionPool() : nil
    let transport = try HTTP2ClientTransport(
      target: .unixDirectory(path: folder.path), configuration: configuration)
    let other = try HTTP2ClientTransport(
      target: .unixDirectory(path: folder.path), configuration: configuration)
    try await withGRPCClient(transport: other) { _ in
      try await withGRPCClient(transport: transport) { client in
        var options = CallOptions.defaults
        options.waitForReady = true
        for life in 1...3 {
          let server = try ScriptedServer(address) { $0.onEnd = { $0.fail("13") } }
          await #expect(throws: RPCError.self) {
            try await EchoClient(client: client).expectEcho(of: [1], options: options)
          }
          await server.kill()
          // As a successor does. The resolver learns of it either way.
          unlink("\(folder.path)/s.sock")
          while await transport.status.endpoints?.isEmpty == false {}
          let next = try ScriptedServer(address)
          try await EchoClient(client: client).expectEcho(of: [1], options: options)
          let way = try #require(await transport.status.endpoints?.first?.subchannels.first)
          #expect(way.picks == 2 * life && way.failedCalls == life)
          #expect(way.connectionsMade == 2 * life && way.disconnections == 2 * life - 1)
          await next.kill()
          unlink("\(folder.path)/s.sock")
          while await transport.status.endpoints?.isEmpty == false {}
        }
      }
    }
    #expect(await other.status.attemptsStarted == 0)
  }

  @Test func callsThatAreGivenUpHaveNotFailed() async throws {
    let address = SocketAddress.unixDomainSocket(path: "\(folder.path)/s.sock")
    let server = try ScriptedServer(address) { $0.onEnd = { _ in } }
    let transport = try HTTP2ClientTransport(target: "\(address)")
    try await withGRPCClient(transport: transport) { client in
      let call = Task { try await EchoClient(client: client).expectEcho(of: [1]) }
      while await transport.status.attemptsStarted == 0 {}
      call.cancel()
      await #expect(throws: (any Error).self) { try await call.value }
      var options = CallOptions.defaults
      options.timeout = .milliseconds(1)
      // Its time may be over before it is sent.
      while await transport.status.attemptsStarted == 1 {
        await #expect(throws: RPCError.self) {
          try await EchoClient(client: client).expectEcho(of: [1], options: options)
        }
      }
      let way = try #require(await transport.status.endpoints?.first?.subchannels.first)
      #expect(way.picks == 2 && way.failedCalls == 1)
    }
    await server.kill()
  }

  @Test func tellsWhyConnectionsWereLost() async throws {
    let address = SocketAddress.unixDomainSocket(path: "\(folder.path)/s.sock")
    let server = try ScriptedServer(address)
    let transport = try HTTP2ClientTransport(target: "\(address)")
    try await withGRPCClient(transport: transport) { client in
      for count in 1...2 {
        try await EchoClient(client: client).expectEcho(of: [1])
        await server.goAway()
        var way: ChannelStatus.Subchannel?
        repeat {
          way = await transport.status.endpoints?.first?.subchannels.first
        } while way?.disconnections != count
        #expect(way?.disconnectErrors == ["GOAWAY NO_ERROR": count])
      }
    }
    await server.kill()
  }
}
