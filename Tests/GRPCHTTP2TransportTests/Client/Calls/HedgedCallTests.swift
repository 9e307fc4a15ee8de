import GRPCCore
import KartTesting
import Synchronization
import Testing

@testable import GRPCHTTP2Transport

/// Calls of which several attempts are on their way at once.
@Suite(.timeLimit(.minutes(1))) struct HedgedCallTests {
  private let server = PolicyServer()

  @Test func aSlowAnswerIsOvertaken() async throws {
    let seen = Counter()
    // Only the third attempt is answered.
    let handler: ScriptedServer.Handler = { stream in
      if seen.next() == 2 { stream.onEnd = { $0.echo() } }
    }
    try await server.with(PolicyServer.hedge(.milliseconds(1)), handler: handler) {
      echo, _, server in
      try await echo.expectEcho(of: [9])
      var closes = server.closes.makeAsyncIterator()
      var codes: [String] = []
      for _ in 0..<3 { codes.append(try #require(await closes.next())) }
      #expect(codes.sorted() == ["CANCEL", "CANCEL", "NO_ERROR"])
    }
  }

  @Test func aFailureThatIsNotFatalMakesTheNextAttemptAtOnce() async throws {
    let handler = PolicyServer.failing(2)
    try await server.with(PolicyServer.hedge(.seconds(600)), handler: handler) { echo, _, _ in
      let response = try await echo.unary([1])
      #expect(try response.message == [1])
      #expect(Array(response.metadata[stringValues: "attempts"]) == ["2"])
    }
  }

  @Test func aFatalFailureEndsTheCall() async throws {
    let handler = PolicyServer.failing(1) { $0.fail("3") }
    try await server.with(PolicyServer.hedge(.seconds(600)), handler: handler) { echo, _, _ in
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
    try await server.with(PolicyServer.hedge(.zero), handler: handler) { echo, _, _ in
      let response = try await echo.unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .unavailable)
    }
    #expect(seen.next() == 3)
  }

  @Test func aServerThatPushesBackEndsHedging() async throws {
    let handler = PolicyServer.failing(1) { $0.fail("14", [("grpc-retry-pushback-ms", "-1")]) }
    try await server.with(PolicyServer.hedge(.seconds(600)), handler: handler) { echo, _, _ in
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
    let folder = TemporaryFolder()
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
      options.executionPolicy = PolicyServer.hedge(.milliseconds(1))
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
    try await server.with(PolicyServer.hedge(.zero), timeout: .milliseconds(20), handler: { _ in })
    {
      echo, _, _ in
      let response = try await echo.unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .deadlineExceeded)
    }
  }

  @Test func aCallCountsOnceHoweverManyAttemptsItTakes() async throws {
    let throttling = try ServiceConfig.RetryThrottling(maxTokens: 10, tokenRatio: 0.1)
    let handler = PolicyServer.failing(2)
    try await server.with(
      PolicyServer.hedge(.seconds(600)), throttling: throttling, handler: handler
    ) { echo, transport, _ in
      try await echo.expectEcho(of: [1])
      // Two failures, one success.
      #expect(transport.retryThrottle?.tokens == 8.1)
      let calls = await transport.channelzChannel().calls
      #expect(calls.started == 1 && calls.succeeded == 1 && calls.failed == 0)
    }
  }

  /// With half of the tokens gone there are no attempts but the first (A6).
  @Test(arguments: [(10, 3), (2, 1), (4, 2)])
  func throttlingEndsHedging(tokens: Int, attempts: Int) async throws {
    let seen = Counter()
    let handler: ScriptedServer.Handler = {
      $0.onEnd = {
        _ = seen.next()
        $0.fail("14")
      }
    }
    let throttling = try ServiceConfig.RetryThrottling(maxTokens: tokens, tokenRatio: 1)
    try await server.with(
      PolicyServer.hedge(.seconds(600)), throttling: throttling, handler: handler
    ) { echo, _, _ in
      let response = try await echo.unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .unavailable)
    }
    #expect(seen.next() == attempts)
  }

  /// A server says when the next attempt is made, or that none is (A6).
  @Test(arguments: [("0", 3), ("2", 3), ("-1", 1), ("never", 1)])
  func serversPushBack(pushback: String, attempts: Int) async throws {
    let seen = Counter()
    let handler: ScriptedServer.Handler = {
      $0.onEnd = {
        _ = seen.next()
        $0.fail("14", [("grpc-retry-pushback-ms", pushback)])
      }
    }
    try await server.with(PolicyServer.hedge(.seconds(600)), handler: handler) { echo, _, _ in
      let response = try await echo.unary([1])
      #expect(throws: RPCError.self) { try response.message }
    }
    #expect(seen.next() == attempts)
  }

  /// However many a policy wants (A6).
  @Test(arguments: [2, 5, 9]) func thereAreFiveAttemptsAtMost(wanted: Int) async throws {
    let seen = Counter()
    let policy = RPCExecutionPolicy.hedge(
      HedgingPolicy(maxAttempts: wanted, hedgingDelay: .zero, nonFatalStatusCodes: [.unavailable]))
    let handler: ScriptedServer.Handler = {
      $0.onEnd = {
        _ = seen.next()
        $0.fail("14")
      }
    }
    try await server.with(policy, handler: handler) { echo, _, _ in
      let response = try await echo.unary([1])
      #expect(throws: RPCError.self) { try response.message }
    }
    #expect(seen.next() == min(5, wanted))
  }

  /// Others' failures may have used the tokens up while it waited.
  @Test func anAttemptThatMayNotFollowItsWaitEndsTheCall() async throws {
    let (failures, failure) = AsyncStream.makeStream(of: Void.self)
    let handler: ScriptedServer.Handler = {
      $0.onEnd = {
        guard $0.message == [1] else { return $0.fail("14") }
        $0.fail("14", [("grpc-retry-pushback-ms", "100")])
        failure.yield()
      }
    }
    try await server.with(
      PolicyServer.hedge(.seconds(600)),
      throttling: ServiceConfig.RetryThrottling(maxTokens: 4, tokenRatio: 0.1), handler: handler
    ) { echo, _, _ in
      async let response = echo.unary([1])
      var iterator = failures.makeAsyncIterator()
      await iterator.next()
      for _ in 0..<3 { _ = try await echo.unary([2]) }
      let answer = try await response
      let error = #expect(throws: RPCError.self) { try answer.message }
      #expect(error?.code == .unavailable)
    }
  }
}
