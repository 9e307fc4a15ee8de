import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

/// Calls that are made again, and those that are not.
@Suite(.timeLimit(.minutes(1))) struct RetriedCallTests {
  private let server = PolicyServer()

  @Test(arguments: [0, 1, 3]) func aFailedCallIsMadeAgain(failures: Int) async throws {
    try await server.with(handler: PolicyServer.failing(failures)) { echo, _, _ in
      let response = try await echo.unary([1, 2, 3])
      #expect(try response.message == [1, 2, 3])
      let attempts = failures == 0 ? "none" : "\(failures)"
      #expect(Array(response.metadata[stringValues: "attempts"]) == [attempts])
    }
  }

  @Test func afterTheLastAttemptTheCallHasFailed() async throws {
    let seen = Counter()
    let count: ScriptedServer.Handler = {
      $0.onEnd = {
        _ = seen.next(); $0.fail("14")
      }
    }
    try await server.with(handler: count) { echo, _, _ in
      let response = try await echo.unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .unavailable)
    }
    #expect(seen.next() == 4)
  }

  @Test func resetsAndForeignAnswersAreRetriedAsWell() async throws {
    let ends: [@Sendable (ScriptedStream) -> Void] = [
      { $0.respond(headers: [(":status", "503")], messages: [[1]], trailers: nil) },
      { $0.refuse([(":status", "502")]) }, { $0.connection.close() },
    ]
    for end in ends {
      try await server.with(handler: PolicyServer.failing(2, end)) { echo, _, _ in
        try await echo.expectEcho(of: [5])
      }
    }
  }

  @Test func whatHasBegunOrIsOfAnotherCodeIsNotRetried() async throws {
    let seen = Counter()
    let partly: ScriptedServer.Handler = {
      $0.onEnd = {
        _ = seen.next(); $0.respond(trailers: [("grpc-status", "14")])
      }
    }
    try await server.with(handler: partly) { echo, _, _ in
      let response = try await echo.unary([1])
      #expect(throws: RPCError.self) { try response.message }
    }
    #expect(seen.next() == 1)
    let internalError = PolicyServer.failing(1) { $0.fail("13") }
    try await server.with(handler: internalError) { echo, _, _ in
      let response = try await echo.unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .internalError)
    }
  }

  @Test(arguments: ["-1", "soon", ""]) func theServerMayWantNoRetry(pushback: String) async throws {
    let handler = PolicyServer.failing(1) { $0.fail("14", [("grpc-retry-pushback-ms", pushback)]) }
    try await server.with(handler: handler) { echo, _, _ in
      let response = try await echo.unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      // Whoever makes the call again itself can see it.
      let seen = error.map { Array($0.metadata[stringValues: "grpc-retry-pushback-ms"]) }
      #expect(seen == [pushback])
    }
  }

  @Test func theServerSaysWhenToTryAgain() async throws {
    // The policy itself would wait for minutes.
    let policy = RPCExecutionPolicy.retry(
      RetryPolicy(
        maxAttempts: 4, initialBackoff: .seconds(600), maxBackoff: .seconds(600),
        backoffMultiplier: 2, retryableStatusCodes: [.unavailable]))
    let handler = PolicyServer.failing(2) { $0.fail("14", [("grpc-retry-pushback-ms", "2")]) }
    try await server.with(policy, handler: handler) { echo, _, _ in
      try await echo.expectEcho(of: [1])
    }
  }

  @Test func theDeadlineHoldsForAllAttempts() async throws {
    let policy = RPCExecutionPolicy.retry(
      RetryPolicy(
        maxAttempts: 4, initialBackoff: .seconds(600), maxBackoff: .seconds(600),
        backoffMultiplier: 2, retryableStatusCodes: [.unavailable]))
    let handler = PolicyServer.failing(2)
    try await server.with(policy, timeout: .milliseconds(20), handler: handler) { echo, _, _ in
      let response = try await echo.unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .deadlineExceeded)
    }
  }

  @Test func aCallThatWaitsToBeMadeAgainEndsWithItsTask() async throws {
    let (failures, failure) = AsyncStream.makeStream(of: Void.self)
    let policy = RPCExecutionPolicy.retry(
      RetryPolicy(
        maxAttempts: 4, initialBackoff: .seconds(600), maxBackoff: .seconds(600),
        backoffMultiplier: 2, retryableStatusCodes: [.unavailable]))
    let handler: ScriptedServer.Handler = {
      $0.onEnd = {
        $0.fail("14"); failure.yield()
      }
    }
    try await server.with(policy, handler: handler) { echo, _, _ in
      let call = Task { try await echo.unary([1]) }
      for await _ in failures { break }
      call.cancel()
      let response = try await call.value
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .cancelled)
    }
  }

  @Test func throttlingEndsRetries() async throws {
    let seen = Counter()
    let throttling = try ServiceConfig.RetryThrottling(maxTokens: 4, tokenRatio: 0.5)
    let handler: ScriptedServer.Handler = {
      $0.onEnd = {
        _ = seen.next(); $0.fail("14")
      }
    }
    try await server.with(throttling: throttling, handler: handler) { echo, transport, server in
      for _ in 0..<3 { _ = try await echo.unary([1]) }
      #expect(transport.retryThrottle?.tokens == 0)
      await server.onLoop { $0.handler = { $0.onEnd = { $0.echo() } } }
      try await echo.expectEcho(of: [1])
      #expect(transport.retryThrottle?.tokens == 0.5)
    }
    // Twice for the first call, whose second failure leaves half of the tokens.
    #expect(seen.next() == 4)
  }

  @Test func aStreamOfRequestsIsReplayed() async throws {
    try await server.with(handler: PolicyServer.failing(2)) { echo, _, _ in
      let response = try await echo.collect { writer in
        for number in UInt8(0)..<100 { try await writer.write([number]) }
      }
      let expected = (UInt8(1)..<100).reduce([0] as [UInt8]) { $0 + [0, 0, 0, 0, 1, $1] }
      #expect(try response.message == expected)
    }
  }

  @Test func aStreamThatIsTooLongIsMadeOnce() async throws {
    let handler = PolicyServer.failing(2)
    try await server.with(retryBufferBytes: 50, handler: handler) { echo, _, _ in
      let response = try await echo.collect { writer in
        for number in UInt8(0)..<100 { try await writer.write([number]) }
      }
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .unavailable)
    }
  }

  @Test func aRequestMayNotBeTooLarge() async throws {
    try await server.with(handler: PolicyServer.failing(0)) { echo, _, _ in
      var options = CallOptions.defaults
      options.maxRequestMessageBytes = 3
      try await echo.expectEcho(of: [1, 2, 3], options: options)
      let response = try await echo.unary([1, 2, 3, 4], options: options)
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .resourceExhausted)
      #expect(error?.message == "The request message has 4 bytes, and the limit is 3.")
    }
  }
}
