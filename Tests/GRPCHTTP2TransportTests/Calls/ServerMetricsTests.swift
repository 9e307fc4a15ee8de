import EventLoop
import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

/// What a server tells of its calls (A66).
@Suite(.timeLimit(.minutes(1))) struct ServerMetricsTests {
  private var calls: EchoCalls {
    var calls = EchoCalls()
    calls.server.measuresCalls = true
    return calls
  }

  /// The calls of a method that have ended with a status, once there are so many: a client may be done earlier.
  private func ended(
    _ method: String, _ code: Status.Code, _ count: Int, of server: HTTP2ServerTransport
  ) async -> ServerMethodMetrics {
    while true {
      let metrics = await server.metrics[method]
      if let metrics, metrics.calls[code]?.durations.count == count { return metrics }
      await Task.yield()
    }
  }

  @Test func callsAreCountedByMethodAndStatus() async throws {
    try await calls.run { client, server in
      try await client.expectEcho(of: [1, 2, 3])
      try await client.expectEcho(of: [4])
      let unary = await ended("test.Echo/Unary", .ok, 2, of: server)
      #expect(unary.callsStarted == 2 && unary.calls.count == 1)
      let ok = try #require(unary.calls[.ok])
      #expect(ok.durations.sum > 0 && ok.sentBytes.sum == 4 && ok.receivedBytes.sum == 4)

      let count = try await client.expand(5) { response in
        try await response.messages.reduce(into: 0) { $0 += $1.count }
      }
      let expand = await ended("test.Echo/Expand", .ok, 1, of: server)
      #expect(expand.calls[.ok]?.sentBytes.sum == Double(count))
      #expect(expand.calls[.ok]?.receivedBytes.sum == 1)
    }
  }

  @Test func methodsThatThereAreNotAreOthers() async throws {
    try await calls.run { client, server in
      for name in ["Nothing", "Nothing/Else"] {
        let code = try await client.client.unary(
          request: ClientRequest(message: [1]), descriptor: EchoClient.method(name),
          serializer: ByteSerializer(), deserializer: ByteDeserializer(), options: .defaults
        ) { response in
          #expect(throws: RPCError.self) { try response.message }?.code
        }
        #expect(code == .unimplemented)
      }
      let other = await ended("other", .unimplemented, 2, of: server)
      #expect(other.callsStarted == 2 && other.calls.count == 1)
      #expect(await server.metrics.count == 1)
    }
  }

  /// Whoever handles streams himself has whatever methods his clients think of.
  @Test func methodsThatOnlyClientsNameAreOthers() async throws {
    let loops = EventLoopGroup(count: 1)
    var configuration = HTTP2ServerTransport.Configuration.defaults
    configuration.measuresCalls = true
    let server = HTTP2ServerTransport(
      listeningOn: .ipv4(host: "127.0.0.1", port: 0), configuration: configuration,
      eventLoops: loops)
    let serving = Task {
      try await server.listen { stream, _ in
        try? await stream.outbound.write(.status(Status(code: .aborted, message: ""), [:]))
      }
    }
    let client = try WireClient(to: try await server.listeningAddress, on: loops.loops[0])
    for number in 0..<100 {
      let stream = UInt32(2 * number + 1)
      let head = WireHeaders.request("/test.Echo/Method\(number)")
      client.send(.headers(stream, head, endStream: true))
      #expect(await client.answer(to: stream).fields["grpc-status"] == "10")
    }
    let metrics = await server.metrics
    #expect(metrics.count == 1)
    #expect(metrics["other"]?.callsStarted == 100)
    client.close()
    server.beginGracefulShutdown()
    try await serving.value
    await loops.shutdown()
  }

  @Test func aCallThatItsClientGivesUpIsCancelled() async throws {
    try await calls.run { client, server in
      let call = Task {
        try await client.bidirectional { writer in
          try await writer.write([1])
          try await Task.sleep(for: .seconds(600))
        } _: { response in
          for try await _ in response.messages {}
        }
      }
      while await server.metrics["test.Echo/Bidi"]?.callsStarted != 1 { await Task.yield() }
      call.cancel()
      _ = await call.result
      let bidi = await ended("test.Echo/Bidi", .cancelled, 1, of: server)
      #expect(bidi.calls.count == 1)
    }
  }

  /// - Parameter count: How many messages the client does not take: so few that the handler is done with them and has
  ///   given its status, or so many that it waits.
  @Test(arguments: [3, 1000]) func aDeadlineEndsACallWhoseClientTakesNothing(count: Int)
    async throws
  {
    var configuration = HTTP2ServerTransport.Configuration.defaults
    configuration.measuresCalls = true
    try await TestServer.with(.ipv4(host: "127.0.0.1", port: 0), configuration) { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0], settings: [(4, 0)])
      let head = WireHeaders.request("/test.Echo/Expand", [("grpc-timeout", "100m")])
      client.send(.headers(1, head), .message(1, Array("\(count)".utf8)))
      let answer = await client.answer(to: 1)
      // The status if the deadline came before the first message.
      #expect(answer.code == 8 || answer.fields["grpc-status"] == "4", "\(answer)")
      let metrics = await ended("test.Echo/Expand", .deadlineExceeded, 1, of: server.transport)
      #expect(metrics.calls.count == 1)
      client.close()
    }
  }

  @Test func aFailureBehindMessagesIsMeasuredAsWhatItIs() async throws {
    let service = FilledService(bidirectional: { _, _ in
      StreamingServerResponse { writer in
        try await writer.write([1])
        try await writer.write([UInt8](repeating: 1, count: 501))
        return [:]
      }
    })
    var calls = calls
    calls.services = [service]
    calls.server.maxResponseMessageBytes = 500
    try await calls.run { client, server in
      _ = try await client.bidirectional { _ in
      } _: { response in
        await #expect(throws: RPCError.self) { for try await _ in response.messages {} }
      }
      let bidi = await ended("test.Echo/Bidi", .resourceExhausted, 1, of: server)
      #expect(bidi.calls.count == 1)
    }
  }

  @Test func nothingIsMeasuredUnlessAskedFor() async throws {
    try await EchoCalls().run { client, server in
      try await client.expectEcho(of: [1])
      #expect(await server.metrics.isEmpty)
    }
  }
}
