import GRPCCore
import KartTesting
import Testing

@testable import GRPCHTTP2Transport

/// What stays when a resolver tells of another configuration, or of the same one with other servers.
@Suite(.timeLimit(.minutes(1))) struct ChangedConfigTests {
  private let folder = TemporaryFolder()
  private let target = PushedTarget()

  private func address(_ name: String) -> SocketAddress {
    .unixDomainSocket(path: "\(folder.path)/\(name).sock")
  }

  /// A configuration with an outlier detection that takes whoever fails out for ever, if at all.
  private func judging(
    _ name: String, byFailures: Bool = true, child: String = "round_robin"
  ) -> ServiceConfig {
    var fields: [String: JSONValue] = [
      "interval": .string("0.001s"), "baseEjectionTime": .string("600s"),
      "maxEjectionPercent": .number(50),
      "childPolicy": .array([.object([child: .object([:])])]),
    ]
    if byFailures {
      fields["failurePercentageEjection"] = .object([
        "minimumHosts": .number(1), "requestVolume": .number(1),
      ])
    }
    return ServiceConfig(
      // Tells the configurations apart for who looks for it.
      methodConfig: [MethodConfig(names: [MethodConfig.Name(service: name)])],
      loadBalancingConfig: [
        ServiceConfig.LoadBalancingConfig(
          name: OutlierDetection.name, configuration: .object(fields))
      ])
  }

  /// Has the channel learn of servers and their configuration.
  private func resolve(
    _ names: [String], _ config: ServiceConfig, _ transport: HTTP2ClientTransport
  ) async {
    target.resolve(names.map(address), .success(config))
    while transport.channel.published.withLock(\.config) != config { await Task.yield() }
  }

  private func ways(_ transport: HTTP2ClientTransport) async -> [ChannelStatus.Subchannel] {
    (await transport.status.endpoints ?? []).flatMap(\.subchannels)
  }

  @Test func anEjectedEndpointStaysOut() async throws {
    let servers = try ["a", "b", "c"].map { name in
      try ScriptedServer(address(name)) { stream in
        stream.onEnd = { name == "a" ? $0.fail("13") : $0.echo() }
      }
    }
    let transport = try target.transport()
    try await withGRPCClient(transport: transport) { client in
      let echo = EchoClient(client: client)
      await resolve(["a", "b"], judging("first"), transport)
      while await ways(transport).contains(where: { $0.state != .ready }) { await Task.yield() }
      while await !ways(transport).contains(where: \.isEjected) { _ = try await echo.unary([1]) }
      // Other settings, then other servers, then another child.
      await resolve(["a", "b"], judging("second"), transport)
      #expect(await ways(transport).map(\.isEjected) == [true, false])
      for _ in 0..<10 { try await echo.expectEcho(of: [1]) }
      await resolve(["a", "b", "c"], judging("second"), transport)
      while await ways(transport).count < 3 { await Task.yield() }
      #expect(await ways(transport).map(\.isEjected) == [true, false, false])
      await resolve(["a", "b", "c"], judging("third", child: "least_request"), transport)
      #expect(await ways(transport).map(\.isEjected) == [true, false, false])
      for _ in 0..<10 { try await echo.expectEcho(of: [1]) }
      #expect(await transport.status.ejections == 1)
      // Without a rule nobody is out.
      await resolve(["a", "b", "c"], judging("fourth", byFailures: false), transport)
      let ways = await ways(transport)
      #expect(ways.map(\.isEjected) == [false, false, false])
      #expect(ways.prefix(2).allSatisfy { $0.connectionsMade == 1 && $0.disconnections == 0 })
      while try await echo.unary([1]).accepted.isSuccess {}
    }
    for server in servers { await server.kill() }
  }

  /// A server that has said how it is need not say it again.
  @Test func streamsOfHealthGoOn() async throws {
    let watches = Counter()
    let server = try ScriptedServer(address("a")) { stream in
      stream.onEnd = {
        guard $0.headers[":path"] == "/grpc.health.v1.Health/Watch" else { return $0.echo() }
        guard watches.next() == 0 else { return }
        $0.begin()
        $0.send([8, 1])
      }
    }
    let transport = try target.transport()
    try await withGRPCClient(transport: transport) { client in
      for child in ["round_robin", "least_request"] {
        var config = judging(child, child: child)
        config.healthCheckServiceName = "test.Echo"
        await resolve(["a"], config, transport)
        try await EchoClient(client: client).expectEcho(of: [1])
        #expect(await transport.status.state == .ready)
      }
      #expect(watches.next() == 1)
    }
    await server.kill()
  }

  /// Who serves goes on serving while a policy of another kind begins.
  @Test(arguments: ["pick_first", "round_robin", "ring_hash_experimental", "least_request"])
  func connectionsOutliveTheirPolicy(name: String) async throws {
    let server = try ScriptedServer(address("a"))
    let transport = try target.transport()
    try await withGRPCClient(transport: transport) { client in
      for config in [
        judging("first"),
        ServiceConfig(loadBalancingConfig: [ServiceConfig.LoadBalancingConfig(name: name)]),
      ] {
        await resolve(["a"], config, transport)
        try await EchoClient(client: client).expectEcho(of: [1])
      }
      #expect(await ways(transport).first?.connectionsMade == 1)
    }
    await server.kill()
  }
}

extension Result {
  fileprivate var isSuccess: Bool { (try? get()) != nil }
}
