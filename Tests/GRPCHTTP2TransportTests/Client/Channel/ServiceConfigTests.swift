import EventLoop
import GRPCCore
import Glibc
import KartTesting
import Synchronization
import Testing

@testable import GRPCHTTP2Transport

/// What a channel makes of a service's configuration, and of the health of its servers.
@Suite(.timeLimit(.minutes(1))) struct ServiceConfigTests {
  private let folder = TemporaryFolder()

  private var configuration: HTTP2ClientTransport.Configuration {
    var configuration = HTTP2ClientTransport.Configuration.defaults
    configuration.backoff = ConnectionBackoff(
      initial: .milliseconds(1), maximum: .milliseconds(5))
    return configuration
  }

  private var waiting: CallOptions {
    var options = CallOptions.defaults
    options.waitForReady = true
    return options
  }

  private func replica(
    _ name: String, health: (@Sendable (ScriptedStream) -> Void)? = nil
  ) throws -> ScriptedServer {
    try ScriptedServer(.unixDomainSocket(path: "\(folder.path)/\(name).sock")) { stream in
      if stream.headers[":path"] == "/grpc.health.v1.Health/Watch" {
        stream.onEnd = health ?? { $0.fail("12") }
      } else {
        stream.onEnd = { $0.respond(messages: [Array(name.utf8)]) }
      }
    }
  }

  /// Calls until each of these, and nobody else, has answered.
  private func expect(_ names: Set<String>, from echo: EchoClient) async throws {
    var recent: [String] = []
    while Set(recent) != names || recent.count < 20 {
      let response = try await echo.unary([], options: waiting)
      guard let message = try? response.message else { continue }
      recent.append(String(decoding: message, as: UTF8.self))
      if recent.count > 20 { recent.removeFirst() }
    }
  }

  private func withClient(
    _ target: any ResolvableTarget, _ config: ServiceConfig?,
    _ body: (EchoClient, HTTP2ClientTransport) async throws -> Void
  ) async throws {
    var configuration = configuration
    configuration.serviceConfig = config
    let transport = try HTTP2ClientTransport(target: target, configuration: configuration)
    try await withGRPCClient(transport: transport) {
      try await body(EchoClient(client: $0), transport)
    }
  }

  @Test func thePolicyIsTheConfigs() async throws {
    let servers = [try replica("a"), try replica("b")]
    let config = ServiceConfig(loadBalancingConfig: [.roundRobin])
    try await withClient(.unixDirectory(path: folder.path), config) { echo, transport in
      try await expect(["a", "b"], from: echo)
      #expect(transport.config(forMethod: EchoClient.method("Unary")) == nil)
    }
    for server in servers { await server.kill() }
  }

  @Test func aPolicyThatIsNotKnownIsAnErrorAtStart() {
    var configuration = configuration
    configuration.serviceConfig = ServiceConfig(
      loadBalancingConfig: [ServiceConfig.LoadBalancingConfig(name: "made_up")])
    let error = #expect(throws: RuntimeError.self) {
      try HTTP2ClientTransport(target: "localhost", configuration: configuration)
    }
    #expect(error?.message.contains("made_up") == true)
  }

  @Test func methodsMayWaitForReady() async throws {
    let config = ServiceConfig(methodConfig: [
      MethodConfig(names: [MethodConfig.Name(service: "test.Echo")], waitForReady: true)
    ])
    let path = "\(folder.path)/s.sock"
    try await withClient(.unixDomainSocket(path: path), config) { echo, transport in
      async let response = echo.echo([1])
      for await state in transport.connectivityStates where state == .transientFailure { break }
      let server = try replica("s")
      let message = try await response
      #expect(message == Array("s".utf8))
      await server.kill()
    }
  }

  // MARK: Health

  /// Watches that a test answers.
  private final class Watches: Sendable {
    private let streams = Mutex<[ScriptedStream]>([])
    let arrivals: AsyncStream<[UInt8]>
    private let arrival: AsyncStream<[UInt8]>.Continuation

    init() { (arrivals, arrival) = AsyncStream.makeStream() }

    func add(_ stream: ScriptedStream) {
      streams.withLock { $0.append(stream) }
      stream.begin()
      arrival.yield(stream.message)
    }

    func tell(_ status: UInt8) async {
      let streams = streams.withLock { $0 }
      for stream in streams {
        await stream.server.onLoop { _ in stream.send(status == 0 ? [] : [8, status]) }
      }
    }

    func end(_ status: String) async {
      let streams = streams.withLock { streams in
        defer { streams = [] }
        return streams
      }
      for stream in streams {
        await stream.server.onLoop { _ in stream.finish([("grpc-status", status)]) }
      }
    }
  }

  private let healthy = ServiceConfig(
    loadBalancingConfig: [.roundRobin], healthCheckServiceName: "test.Echo")

  @Test func onlyServersThatAreServingGetCalls() async throws {
    let watches = Watches()
    let servers = [
      try replica("a"), try replica("b", health: { watches.add($0) }),
    ]
    try await withClient(.unixDirectory(path: folder.path), healthy) { echo, _ in
      // The first has no health service, the second has not said anything yet.
      try await expect(["a"], from: echo)
      var arrivals = watches.arrivals.makeAsyncIterator()
      #expect(await arrivals.next() == [0x0a, 9] + Array("test.Echo".utf8))
      await watches.tell(2)
      try await expect(["a"], from: echo)
      await watches.tell(1)
      try await expect(["a", "b"], from: echo)
      await watches.tell(0)
      try await expect(["a"], from: echo)
      await watches.tell(1)
      try await expect(["a", "b"], from: echo)
      // A watch that ends is begun again.
      await watches.end("14")
      _ = await arrivals.next()
      await watches.tell(1)
      try await expect(["a", "b"], from: echo)
    }
    for server in servers { await server.kill() }
  }

  @Test func callsFailWhileNobodyServes() async throws {
    let watches = Watches()
    let server = try replica("a", health: { watches.add($0) })
    try await withClient(.unixDirectory(path: folder.path), healthy) { echo, transport in
      async let first = echo.unary([1])
      var arrivals = watches.arrivals.makeAsyncIterator()
      _ = await arrivals.next()
      await watches.tell(2)
      let response = try await first
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.message.contains("SERVING") == true)
    }
    await server.kill()
  }

  @Test func pickFirstAsksForNoHealth() async throws {
    let watches = Watches()
    let server = try replica("a", health: { watches.add($0) })
    let config = ServiceConfig(healthCheckServiceName: "test.Echo")
    try await withClient(.unixDirectory(path: folder.path), config) { echo, _ in
      try await expect(["a"], from: echo)
    }
    await server.kill()
  }

  // MARK: A file of endpoints

  private func write(_ text: String) {
    TemporaryFolder.write(Array(text.utf8), to: "\(folder.path)/endpoints.json")
  }

  private func list(_ names: String...) -> String {
    let endpoints = names.map { #"{"addresses": ["unix:\#(folder.path)/\#($0).sock"]}"# }
    return #"{"endpoints": [\#(endpoints.joined(separator: ", "))], "serviceConfig": "#
      + #"{"loadBalancingConfig": [{"round_robin": {}}]}}"#
  }

  @Test func aFileOfEndpointsIsFollowed() async throws {
    let servers = try ["a", "b", "c"].map { try replica($0) }
    try await withClient(.endpointsFile(path: "\(folder.path)/endpoints.json"), nil) { echo, _ in
      let response = try await echo.unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.message.contains("endpoints.json cannot be read") == true)
      write(list("a", "b"))
      try await expect(["a", "b"], from: echo)
      write(list("b", "c"))
      try await expect(["b", "c"], from: echo)
      // What is wrong, or gone, changes nothing.
      write("{")
      try await expect(["b", "c"], from: echo)
      unlink("\(folder.path)/endpoints.json")
      try await expect(["b", "c"], from: echo)
      write(list("a"))
      try await expect(["a"], from: echo)
    }
    for server in servers { await server.kill() }
  }

  @Test func aFileSaysWeightsAndPriorities() async throws {
    write(
      #"{"endpoints": [{"addresses": ["ipv4:10.0.0.1:80", "ipv6:[::1]:80"], "weight": 3, "zone": "z"}, {"addresses": ["unix:/x"], "priority": 2}]}"#
    )
    var names = NameResolvers.EndpointsFile(eventLoop: EventLoopGroup.shared.next())
      .resolver(for: .endpointsFile(path: "\(folder.path)/endpoints.json")).names
      .makeAsyncIterator()
    let result = try #require(try await names.next())
    #expect(
      result.endpoints == [
        Endpoint(
          addresses: [.ipv4(host: "10.0.0.1", port: 80), .ipv6(host: "::1", port: 80)], weight: 3,
          zone: "z"), Endpoint(addresses: [.unixDomainSocket(path: "/x")], priority: 2),
      ])
    write(#"{"endpoints": [{"addresses": ["nowhere"]}]}"#)
    var second = NameResolvers.EndpointsFile(eventLoop: EventLoopGroup.shared.next())
      .resolver(for: .endpointsFile(path: "\(folder.path)/endpoints.json")).names
      .makeAsyncIterator()
    let failure = try #require(try await second.next()?.failure)
    #expect(failure.message.contains("“nowhere” is no address"))
  }

  // MARK: A client that runs itself

  @Test func aManagedClientRunsFromItsFirstCallToItsOwnersEnd() async throws {
    let server = try replica("s")
    let transport = try HTTP2ClientTransport(
      target: .unixDomainSocket(path: "\(folder.path)/s.sock"), configuration: configuration)
    var states = transport.connectivityStates.makeAsyncIterator()
    #expect(await states.next() == .idle)
    do {
      let client = GRPCClient.managed(transport: transport)
      try await EchoClient(client: client).expect("s")
      try await EchoClient(client: client).expect("s")
    }
    while let state = await states.next(), state != .shutdown {}
    await server.kill()
  }

  @Test func aManagedClientCanBeShutDown() async throws {
    let transport = try HTTP2ClientTransport(
      target: .unixDomainSocket(path: "\(folder.path)/s.sock"), configuration: configuration)
    let client = GRPCClient.managed(transport: transport)
    let response = try await EchoClient(client: client).unary([1])
    #expect(throws: RPCError.self) { try response.message }
    client.beginGracefulShutdown()
    for await _ in transport.connectivityStates {}
    await #expect(throws: RuntimeError.self) { try await EchoClient(client: client).unary([1]) }
  }
}

extension EchoClient {
  fileprivate func expect(_ name: String) async throws {
    let message = try await echo([])
    #expect(message == Array(name.utf8))
  }
}
