import GRPCCore
import KartTesting
import Testing

@testable import GRPCHTTP2Transport

/// What a channel tells of its calls (A66, A96).
@Suite(.timeLimit(.minutes(1))) struct CallMetricsTests {
  private let folder = TemporaryFolder()

  private func metrics(
    _ policy: RPCExecutionPolicy? = nil, compression: CompressionAlgorithm = .none,
    handler: @escaping ScriptedServer.Handler,
    _ body: (EchoClient) async throws -> Void
  ) async throws -> [MethodDescriptor: ClientMethodMetrics] {
    let address = SocketAddress.unixDomainSocket(path: "\(folder.path)/s.sock")
    let server = try ScriptedServer(address, handler: handler)
    var configuration = HTTP2ClientTransport.Configuration.defaults
    configuration.measuresCalls = true
    configuration.compression.algorithm = compression
    configuration.serviceConfig = ServiceConfig(
      methodConfig: [
        MethodConfig(names: [MethodConfig.Name(service: "")], executionPolicy: policy)
      ])
    let transport = try HTTP2ClientTransport(target: "\(address)", configuration: configuration)
    try await withGRPCClient(transport: transport) { try await body(EchoClient(client: $0)) }
    await server.kill()
    return await transport.metrics
  }

  @Test func callsAreCountedByMethodAndStatus() async throws {
    let seen = Counter()
    let metrics = try await metrics(
      handler: { $0.onEnd = { seen.next() == 1 ? $0.fail("3") : $0.respond(messages: [[1, 2]]) } }
    ) { echo in
      _ = try await echo.unary([1, 2, 3])
      _ = try await echo.unary([4])
      _ = try await echo.collect { writer in
        for _ in 0..<3 { try await writer.write([0, 0, 0, 0]) }
      }
    }
    let unary = try #require(metrics[EchoClient.method("Unary")])
    #expect(unary.attemptsStarted == 2 && Set(unary.attempts.keys) == [.ok, .invalidArgument])
    let ok = try #require(unary.attempts[.ok])
    #expect(ok.durations.count == 1 && ok.durations.sum > 0)
    #expect(ok.sentBytes.sum == 3 && ok.receivedBytes.sum == 2)
    #expect(unary.attempts[.invalidArgument]?.sentBytes.sum == 1)
    #expect(unary.callDurations[.ok]?.count == 1)
    #expect(unary.callDurations[.invalidArgument]?.count == 1)
    #expect(unary.retries.count == 0 && unary.retryDelays.count == 0 && unary.hedges.count == 0)
    let collect = try #require(metrics[EchoClient.method("Collect")])
    #expect(collect.attempts[.ok]?.sentBytes.sum == 12 && metrics.count == 2)
  }

  @Test func sizesAreThoseOfCompressedMessages() async throws {
    let metrics = try await metrics(
      compression: .gzip,
      handler: { $0.onEnd = { $0.respond(messages: [[UInt8]("\($0.received.count)".utf8)]) } }
    ) { echo in
      _ = try await echo.collect { try await $0.write([UInt8](repeating: 0, count: 100_000)) }
    }
    let sent = try #require(metrics[EchoClient.method("Collect")]?.attempts[.ok]?.sentBytes)
    #expect(sent.sum > 10 && sent.sum < 10_000)
  }

  @Test func everyAttemptCounts() async throws {
    let metrics = try await metrics(
      PolicyServer.retry(), handler: PolicyServer.failing(2)
    ) { try await $0.expectEcho(of: [1, 2, 3]) }
    let unary = try #require(metrics[EchoClient.method("Unary")])
    #expect(unary.attemptsStarted == 3)
    #expect(unary.attempts[.unavailable]?.sentBytes.sum == 6)
    #expect(unary.attempts[.ok]?.sentBytes.sum == 3)
    #expect(unary.callDurations.count == 1 && unary.callDurations[.ok]?.count == 1)
    #expect(unary.retries.count == 1 && unary.retries.sum == 2)
    #expect(unary.retryDelays.count == 1 && unary.retryDelays.sum > 0)
    let attempts = unary.attempts.values.map(\.durations.sum).reduce(0, +)
    // The waits between the attempts are part of the call.
    #expect((unary.callDurations[.ok]?.sum ?? 0) >= attempts + unary.retryDelays.sum - 1e-6)
  }

  @Test func transparentRetriesAreToldApart() async throws {
    let seen = Counter()
    let metrics = try await metrics(
      handler: {
        if seen.next() == 0 { $0.reset(.refusedStream) } else { $0.onEnd = { $0.echo() } }
      }
    ) { try await $0.expectEcho(of: [1, 2, 3]) }
    let unary = try #require(metrics[EchoClient.method("Unary")])
    #expect(unary.attemptsStarted == 2 && unary.attempts[.unavailable]?.durations.count == 1)
    #expect(unary.transparentRetries.sum == 1 && unary.retries.count == 0)
  }

  @Test(arguments: [true, false]) func hedgesAreToldApart(isStream: Bool) async throws {
    let metrics = try await metrics(
      PolicyServer.hedge(.seconds(600)),
      handler: PolicyServer.failing(2)
    ) { echo in
      if isStream {
        let response = try await echo.collect { try await $0.write([1, 2, 3]) }
        #expect(try response.message == [1, 2, 3])
      } else {
        try await echo.expectEcho(of: [1, 2, 3])
      }
    }
    let method = try #require(metrics[EchoClient.method(isStream ? "Collect" : "Unary")])
    #expect(method.attemptsStarted == 3)
    #expect(method.attempts[.unavailable]?.durations.count == 2)
    #expect(method.attempts[.ok]?.receivedBytes.sum == 3)
    #expect(method.hedges.sum == 2 && method.retries.count == 0)
    #expect(method.callDurations.count == 1 && method.callDurations[.ok]?.count == 1)
  }

  @Test func nothingIsMeasuredUnlessAskedFor() async throws {
    let server = try ScriptedServer(.unixDomainSocket(path: "\(folder.path)/s.sock"))
    let transport = try HTTP2ClientTransport(target: "\(server.address)")
    try await withGRPCClient(transport: transport) {
      try await EchoClient(client: $0).expectEcho(of: [1])
    }
    #expect(await transport.metrics.isEmpty)
    await server.kill()
  }
}
