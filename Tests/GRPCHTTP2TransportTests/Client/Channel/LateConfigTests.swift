import GRPCCore
import KartTesting
import Testing

@testable import GRPCHTTP2Transport

/// Calls that are made before the resolver has told what the service's configuration is.
@Suite(.timeLimit(.minutes(1))) struct LateConfigTests {
  private let folder = TemporaryFolder()

  /// Runs a client of a server, whose address and configuration it learns when told to.
  private func withServer(
    _ config: MethodConfig, retryBufferBytes: Int = 256 << 10,
    handler: @escaping ScriptedServer.Handler,
    _ body: (EchoClient, _ resolve: @escaping @Sendable () -> Void) async throws -> Void
  ) async throws {
    let address = SocketAddress.unixDomainSocket(path: "\(folder.path)/s.sock")
    let server = try ScriptedServer(address, handler: handler)
    let target = PushedTarget()
    let transport = try target.transport { $0.retryBufferBytes = retryBufferBytes }
    try await withGRPCClient(transport: transport) { client in
      try await body(EchoClient(client: client, transport: transport)) {
        target.resolve([address], .success(ServiceConfig(methodConfig: [config])))
      }
    }
    await server.kill()
  }

  private func config(_ policy: RPCExecutionPolicy? = nil) -> MethodConfig {
    MethodConfig(names: [MethodConfig.Name(service: "")], executionPolicy: policy)
  }

  @Test func whatWasWrittenBeforeIsReplayedAsWell() async throws {
    let seen = Counter()
    let handler: ScriptedServer.Handler = {
      $0.onEnd = {
        if seen.next() == 0 { $0.fail("14") } else { $0.respond(messages: [$0.received]) }
      }
    }
    try await withServer(config(PolicyServer.retry()), handler: handler) { echo, resolve in
      let response = try await echo.collect { writer in
        try await writer.write([1])
        resolve()
        try await writer.write([2])
      }
      #expect(try response.message == [0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 2])
    }
  }

  @Test func aCallIsHedged() async throws {
    let seen = Counter()
    let handler: ScriptedServer.Handler = { stream in
      if seen.next() == 2 { stream.onEnd = { $0.respond(messages: [$0.received]) } }
    }
    try await withServer(config(PolicyServer.hedge(.zero)), handler: handler) { echo, resolve in
      async let response = echo.unary([1])
      resolve()
      let message = try await response.message
      #expect(message == [0, 0, 0, 0, 1, 1])
    }
  }

  @Test func aStreamIsHedged() async throws {
    let seen = Counter()
    let handler: ScriptedServer.Handler = { stream in
      if seen.next() == 2 { stream.onEnd = { $0.respond(messages: [$0.received]) } }
    }
    try await withServer(config(PolicyServer.hedge(.zero)), handler: handler) { echo, resolve in
      let response = try await echo.collect { writer in
        try await writer.write([1])
        resolve()
        try await writer.write([2])
      }
      #expect(try response.message == [0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 2])
    }
  }

  @Test(arguments: [true, false]) func theLimitOfResponsesHolds(isLate: Bool) async throws {
    var config = config()
    config.maxResponseMessageBytes = 2
    let handler: ScriptedServer.Handler = { $0.onEnd = { $0.echo() } }
    try await withServer(config, handler: handler) { echo, resolve in
      if !isLate {
        resolve()
        try await echo.expectEcho(of: [1, 2])
      }
      async let response = echo.unary([1, 2, 3])
      resolve()
      let answer = try await response
      let error = #expect(throws: RPCError.self) { try answer.message }
      #expect(error?.code == .resourceExhausted)
    }
  }

  @Test(arguments: [nil, PolicyServer.retry(), PolicyServer.hedge(.zero)], [0, 256 << 10])
  func theLimitOfRequestsHoldsForWhatWasWrittenBefore(
    policy: RPCExecutionPolicy?, retryBufferBytes: Int
  ) async throws {
    var config = config(policy)
    config.maxRequestMessageBytes = 2
    let handler: ScriptedServer.Handler = { $0.onEnd = { $0.respond(messages: [$0.received]) } }
    try await withServer(config, retryBufferBytes: retryBufferBytes, handler: handler) {
      echo, resolve in
      let response = try await echo.collect { writer in
        for message in [[1], [1, 2, 3], [1, 2]] as [[UInt8]] { try await writer.write(message) }
        resolve()
      }
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .resourceExhausted)
      #expect(error?.message == "The request message has 3 bytes, and the limit is 2.")
    }
  }

  @Test(arguments: [true, false])
  func theLimitOfRequestsHoldsForACallWithAPolicyOfItsOwn(isUnary: Bool) async throws {
    var config = config()
    config.maxRequestMessageBytes = 2
    try await withServer(config, handler: { $0.onEnd = { $0.echo() } }) { echo, resolve in
      var options = CallOptions.defaults
      options.executionPolicy = PolicyServer.hedge(.seconds(600))
      let call = Task { [options] in
        isUnary
          ? try await echo.unary([1, 2, 3], options: options)
          : try await echo.collect(options: options) { try await $0.write([1, 2, 3]) }
      }
      try await callHasBegun(echo.transport)
      resolve()
      let response = try await call.value
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .resourceExhausted)
    }
  }

  /// Waits until a call has begun.
  private func callHasBegun(_ transport: HTTP2ClientTransport?) async throws {
    let channel = try #require(transport).channel
    while await withCheckedContinuation({ continuation in
      channel.tell { continuation.resume(returning: !$0.hasCalls) }
    }) {}
  }

  @Test(arguments: [nil, PolicyServer.hedge(.zero)], [Duration.milliseconds(20), .zero])
  func theTimeoutHolds(policy: RPCExecutionPolicy?, timeout: Duration) async throws {
    var config = config(policy)
    config.timeout = timeout
    try await withServer(config, handler: { _ in }) { echo, resolve in
      async let unary = echo.unary([1])
      try await callHasBegun(echo.transport)
      resolve()
      let response = try await unary
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .deadlineExceeded)
    }
  }

  @Test(arguments: [nil, PolicyServer.hedge(.zero)], [Duration.milliseconds(20), .zero])
  func theTimeoutHoldsForAStream(policy: RPCExecutionPolicy?, timeout: Duration) async throws {
    var config = config(policy)
    config.timeout = timeout
    try await withServer(config, handler: { $0.begin() }) { echo, resolve in
      try await echo.bidirectional { writer in
        try await writer.write([1])
        resolve()
      } _: { response in
        let error = await #expect(throws: RPCError.self) {
          for try await _ in response.messages {}
        }
        #expect(error?.code == .deadlineExceeded)
      }
    }
  }

  @Test func theTimeoutHoldsForACallThatWaitsForReady() async throws {
    var config = config()
    config.timeout = .milliseconds(20)
    let target = PushedTarget()
    let transport = try target.transport()
    try await withGRPCClient(transport: transport) { client in
      async let unary = EchoClient(client: client).unary([1], options: .waiting)
      try await callHasBegun(transport)
      let nobody = SocketAddress.unixDomainSocket(path: "\(folder.path)/none.sock")
      target.resolve([nobody], .success(ServiceConfig(methodConfig: [config])))
      let response = try await unary
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .deadlineExceeded)
    }
  }

  @Test func aConfigurationThatIsTakenBackHoldsNoMore() async throws {
    let address = SocketAddress.unixDomainSocket(path: "\(folder.path)/s.sock")
    let server = try ScriptedServer(address)
    let target = PushedTarget()
    let transport = try target.transport()
    try await withGRPCClient(transport: transport) { client in
      var config = config()
      config.maxRequestMessageBytes = 0
      for config in [config, nil] {
        target.resolve([address], config.map { .success(ServiceConfig(methodConfig: [$0])) })
        let method = EchoClient.method("Unary")
        while transport.config(forMethod: method) != config { await Task.yield() }
        let response = try await EchoClient(client: client).unary([1])
        #expect((try? response.message) == (config == nil ? [1] : nil))
      }
    }
    await server.kill()
  }

  /// A21: what cannot be read is as if the name could not be resolved, until there was one that could.
  @Test func aFirstConfigurationThatCannotBeReadFailsCalls() async throws {
    let address = SocketAddress.unixDomainSocket(path: "\(folder.path)/s.sock")
    let server = try ScriptedServer(address)
    let target = PushedTarget()
    let transport = try target.transport {
      $0.backoff = ConnectionBackoff(initial: .milliseconds(1), maximum: .milliseconds(2))
      $0.serviceConfig = ServiceConfig(loadBalancingConfig: [.roundRobin])
    }
    try await withGRPCClient(transport: transport) { client in
      let echo = EchoClient(client: client)
      let broken = RPCError(code: .invalidArgument, message: "broken")
      target.resolve([address], .failure(broken))
      let response = try await echo.unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      // A54: the resolver's error is no answer of the service's.
      #expect(error?.code == .internalError && error?.message.contains("broken") == true)
      target.resolve([address])
      try await echo.expectEcho(of: [2], options: .waiting)
      target.resolve([address], .failure(broken))
      for _ in 0..<3 { try await echo.expectEcho(of: [3]) }
      #expect(await transport.status.policy == "round_robin")
    }
    await server.kill()
  }

  /// It is one that cannot be read.
  @Test func aFirstPolicyThatIsNotKnownFailsCalls() async throws {
    let address = SocketAddress.unixDomainSocket(path: "\(folder.path)/s.sock")
    let server = try ScriptedServer(address)
    let target = PushedTarget()
    let transport = try target.transport {
      $0.backoff = ConnectionBackoff(initial: .milliseconds(1), maximum: .milliseconds(2))
    }
    try await withGRPCClient(transport: transport) { client in
      let echo = EchoClient(client: client)
      func resolve(_ policy: String) {
        let policy = ServiceConfig.LoadBalancingConfig(name: policy)
        target.resolve([address], .success(ServiceConfig(loadBalancingConfig: [policy])))
      }
      resolve("made_up")
      let response = try await echo.unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .unavailable && error?.message.contains("made_up") == true)
      resolve("round_robin")
      try await echo.expectEcho(of: [2], options: .waiting)
      resolve("made_up")
      for _ in 0..<3 { try await echo.expectEcho(of: [3]) }
      #expect(await transport.status.policy == "round_robin")
    }
    await server.kill()
  }
}
