import EventLoop
import GRPCCore
import Synchronization
import Testing

@testable import GRPCHTTP2Transport

/// Calls that are made again, and those that are not.
@Suite(.timeLimit(.minutes(1))) struct RetriedCallTests {
  private let folder = TemporaryFolder()

  private static func retry(_ attempts: Int = 4) -> RPCExecutionPolicy {
    .retry(
      RetryPolicy(
        maxAttempts: attempts, initialBackoff: .milliseconds(1), maxBackoff: .milliseconds(2),
        backoffMultiplier: 2, retryableStatusCodes: [.unavailable]))
  }

  private func withServer<Result: Sendable>(
    _ policy: RPCExecutionPolicy = retry(), throttling: ServiceConfig.RetryThrottling? = nil,
    timeout: Duration? = nil, retryBufferBytes: Int = 256 << 10,
    handler: @escaping ScriptedServer.Handler,
    _ body: (EchoClient, HTTP2ClientTransport, ScriptedServer) async throws -> Result
  ) async throws -> Result {
    let address = SocketAddress.unixDomainSocket(path: "\(folder.path)/s.sock")
    let server = try ScriptedServer(address, handler: handler)
    var configuration = HTTP2ClientTransport.Configuration.defaults
    configuration.retryBufferBytes = retryBufferBytes
    configuration.serviceConfig = ServiceConfig(
      methodConfig: [
        MethodConfig(
          names: [MethodConfig.Name(service: "test.Echo")], timeout: timeout,
          executionPolicy: policy)
      ], retryThrottling: throttling)
    let transport = try HTTP2ClientTransport(
      target: "\(address)", configuration: configuration)
    let result = try await withGRPCClient(transport: transport) {
      try await body(EchoClient(client: $0), transport, server)
    }
    await server.kill()
    return result
  }

  /// Fails so many requests in a certain way, and answers the others with what was sent and how often.
  private static func failing(
    _ count: Int, _ fail: @escaping @Sendable (ScriptedStream) -> Void = { $0.fail("14") }
  ) -> ScriptedServer.Handler {
    let seen = Counter()
    return {
      $0.onEnd = {
        if seen.next() < count { return fail($0) }
        let attempts = $0.headers["grpc-previous-rpc-attempts"] ?? "none"
        $0.respond(
          headers: ScriptedStream.usualHeaders + [("attempts", attempts)], messages: [$0.message])
      }
    }
  }

  @Test(arguments: [0, 1, 3]) func aFailedCallIsMadeAgain(failures: Int) async throws {
    try await withServer(handler: Self.failing(failures)) { echo, _, _ in
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
    try await withServer(handler: count) { echo, _, _ in
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
      try await withServer(handler: Self.failing(2, end)) { echo, _, _ in
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
    try await withServer(handler: partly) { echo, _, _ in
      let response = try await echo.unary([1])
      #expect(throws: RPCError.self) { try response.message }
    }
    #expect(seen.next() == 1)
    let internalError = Self.failing(1) { $0.fail("13") }
    try await withServer(handler: internalError) { echo, _, _ in
      let response = try await echo.unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .internalError)
    }
  }

  @Test(arguments: ["-1", "soon", ""]) func theServerMayWantNoRetry(pushback: String) async throws {
    let handler = Self.failing(1) { $0.fail("14", [("grpc-retry-pushback-ms", pushback)]) }
    try await withServer(handler: handler) { echo, _, _ in
      let response = try await echo.unary([1])
      #expect(throws: RPCError.self) { try response.message }
    }
  }

  @Test func theServerSaysWhenToTryAgain() async throws {
    // The policy itself would wait for minutes.
    let policy = RPCExecutionPolicy.retry(
      RetryPolicy(
        maxAttempts: 4, initialBackoff: .seconds(600), maxBackoff: .seconds(600),
        backoffMultiplier: 2, retryableStatusCodes: [.unavailable]))
    let handler = Self.failing(2) { $0.fail("14", [("grpc-retry-pushback-ms", "2")]) }
    try await withServer(policy, handler: handler) { echo, _, _ in
      try await echo.expectEcho(of: [1])
    }
  }

  @Test func theDeadlineHoldsForAllAttempts() async throws {
    let policy = RPCExecutionPolicy.retry(
      RetryPolicy(
        maxAttempts: 4, initialBackoff: .seconds(600), maxBackoff: .seconds(600),
        backoffMultiplier: 2, retryableStatusCodes: [.unavailable]))
    let handler = Self.failing(2)
    try await withServer(policy, timeout: .milliseconds(20), handler: handler) { echo, _, _ in
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
    try await withServer(policy, handler: handler) { echo, _, _ in
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
    try await withServer(throttling: throttling, handler: handler) { echo, transport, server in
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
    try await withServer(handler: Self.failing(2)) { echo, _, _ in
      let response = try await echo.collect { writer in
        for number in UInt8(0)..<100 { try await writer.write([number]) }
      }
      let expected = (UInt8(1)..<100).reduce([0] as [UInt8]) { $0 + [0, 0, 0, 0, 1, $1] }
      #expect(try response.message == expected)
    }
  }

  @Test func aStreamThatIsTooLongIsMadeOnce() async throws {
    let handler = Self.failing(2)
    try await withServer(retryBufferBytes: 50, handler: handler) { echo, _, _ in
      let response = try await echo.collect { writer in
        for number in UInt8(0)..<100 { try await writer.write([number]) }
      }
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .unavailable)
    }
  }

  @Test func aRequestMayNotBeTooLarge() async throws {
    try await withServer(handler: Self.failing(0)) { echo, _, _ in
      var options = CallOptions.defaults
      options.maxRequestMessageBytes = 3
      try await echo.expectEcho(of: [1, 2, 3], options: options)
      let response = try await echo.unary([1, 2, 3, 4], options: options)
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .resourceExhausted)
      #expect(error?.message == "The request message has 4 bytes, and the limit is 3.")
    }
  }

  // MARK: Hedging

  private static func hedge(
    _ delay: Duration, _ codes: Set<Status.Code> = [.unavailable]
  ) -> RPCExecutionPolicy {
    .hedge(HedgingPolicy(maxAttempts: 3, hedgingDelay: delay, nonFatalStatusCodes: codes))
  }

  @Test func aSlowAnswerIsOvertaken() async throws {
    let seen = Counter()
    // Only the third attempt is answered.
    let handler: ScriptedServer.Handler = { stream in
      if seen.next() == 2 { stream.onEnd = { $0.echo() } }
    }
    try await withServer(Self.hedge(.milliseconds(1)), handler: handler) { echo, _, server in
      try await echo.expectEcho(of: [9])
      var closes = server.closes.makeAsyncIterator()
      var codes: [String] = []
      for _ in 0..<3 { codes.append(try #require(await closes.next())) }
      #expect(codes.sorted() == ["CANCEL", "CANCEL", "NO_ERROR"])
    }
  }

  @Test func aFailureThatIsNotFatalMakesTheNextAttemptAtOnce() async throws {
    let handler = Self.failing(2)
    try await withServer(Self.hedge(.seconds(600)), handler: handler) { echo, _, _ in
      let response = try await echo.unary([1])
      #expect(try response.message == [1])
      #expect(Array(response.metadata[stringValues: "attempts"]) == ["2"])
    }
  }

  @Test func aFatalFailureEndsTheCall() async throws {
    let handler = Self.failing(1) { $0.fail("3") }
    try await withServer(Self.hedge(.seconds(600)), handler: handler) { echo, _, _ in
      let response = try await echo.unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .invalidArgument)
    }
  }

  @Test func theLastFailureIsTheCalls() async throws {
    let seen = Counter()
    let handler: ScriptedServer.Handler = {
      $0.onEnd = { $0.fail("14", [("number", "\(seen.next())")]) }
    }
    try await withServer(Self.hedge(.zero), handler: handler) { echo, _, _ in
      let response = try await echo.unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .unavailable)
    }
    #expect(seen.next() == 3)
  }

  @Test func aServerThatPushesBackEndsHedging() async throws {
    let handler = Self.failing(1) { $0.fail("14", [("grpc-retry-pushback-ms", "-1")]) }
    try await withServer(Self.hedge(.seconds(600)), handler: handler) { echo, _, _ in
      let response = try await echo.unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .unavailable)
    }
  }

  /// Chooses the only subchannel, and keeps how calls of it ended.
  private struct Watching: LoadBalancingPolicy {
    static let name = "watching"
    let log: Log
    var child = PickFirst()

    final class Log: CallTracker {
      let codes = Mutex<[Status.Code?]>([])
      func callDidStart() {}
      func callDidEnd(_ outcome: CallOutcome) { codes.withLock { $0.append(outcome.code) } }
    }

    struct Picker: SubchannelPicker {
      let picker: any SubchannelPicker
      let log: Log
      func pick(_ call: PickContext) -> PickResult { picker.pick(call).observed(by: log) }
    }

    mutating func update(_ view: LoadBalancingView) -> LoadBalancingDecision {
      var decision = child.update(view)
      decision.picker = Picker(picker: decision.picker, log: log)
      return decision
    }
  }

  @Test func theBalancerLearnsWhoWasOutrun() async throws {
    let address = SocketAddress.unixDomainSocket(path: "\(folder.path)/s.sock")
    let seen = Counter()
    let server = try ScriptedServer(address) { stream in
      if seen.next() == 1 { stream.onEnd = { $0.echo() } }
    }
    let log = Watching.Log()
    var configuration = HTTP2ClientTransport.Configuration.defaults
    configuration.loadBalancing = Watching(log: log)
    let transport = try HTTP2ClientTransport(target: "\(address)", configuration: configuration)
    try await withGRPCClient(transport: transport) { client in
      let echo = EchoClient(client: client)
      var options = CallOptions.defaults
      options.executionPolicy = Self.hedge(.milliseconds(1))
      try await echo.expectEcho(of: [1], options: options)
      // The third attempt may have begun, too; it says nothing of the server.
      #expect(log.codes.withLock { $0.filter { $0 == .cancelled }.count } == 1)
      // Neither does a call that its caller gives up.
      log.codes.withLock { $0 = [] }
      let call = Task { try await echo.unary([2]) }
      call.cancel()
      _ = try await call.value
      #expect(log.codes.withLock { $0.allSatisfy { $0 == nil } })
    }
    await server.kill()
  }

  @Test func theDeadlineEndsAllAttempts() async throws {
    try await withServer(Self.hedge(.zero), timeout: .milliseconds(20), handler: { _ in }) {
      echo, _, _ in
      let response = try await echo.unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .deadlineExceeded)
    }
  }
}

extension ScriptedStream {
  /// Fails without having begun a response.
  func fail(_ status: String, _ trailers: [(String, String)] = []) {
    refuse(Self.usualHeaders + [("grpc-status", status)] + trailers)
  }
}
