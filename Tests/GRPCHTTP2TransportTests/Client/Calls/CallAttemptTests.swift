import GRPCCore
import Synchronization
import Testing

@testable import GRPCHTTP2Transport

/// What is seen of each attempt of a call.
@Suite(.timeLimit(.minutes(1))) struct CallAttemptTests {
  private let server = PolicyServer()

  @Test func everyRetryIsSeenWithItsEnd() async throws {
    let log = Log()
    let handler = PolicyServer.failing(2) { $0.fail("14", [("why", "asleep")]) }
    try await server.with(interceptors: [log], handler: handler) { echo, _, _ in
      try await echo.expectEcho(of: [1])
    }
    #expect(
      log.lines.withLock(\.self) == [
        "0 starts", "0 ends UNAVAILABLE asleep", "1 starts", "1 ends UNAVAILABLE asleep",
        "2 starts", "2 ends OK",
      ])
  }

  @Test func everyHedgeIsSeenWithItsEnd() async throws {
    let log = Log()
    let seen = Counter()
    let handler: ScriptedServer.Handler = { stream in
      if seen.next() == 2 { stream.onEnd = { $0.echo() } }
    }
    try await server.with(
      PolicyServer.hedge(.milliseconds(1)), interceptors: [log], handler: handler
    ) { echo, _, _ in try await echo.expectEcho(of: [1]) }
    #expect(
      log.lines.withLock(\.self).sorted() == [
        "0 ends CANCELLED", "0 starts", "1 ends CANCELLED", "1 starts", "2 ends OK", "2 starts",
      ])
  }

  /// Not acted on by a server, a call is sent again as the same attempt.
  @Test func whatIsSentAgainUnseenIsSeenHere() async throws {
    let log = Log()
    let refusals = Counter()
    let handler: ScriptedServer.Handler = {
      $0.onEnd = { if refusals.next() == 0 { $0.reset(.refusedStream) } else { $0.echo() } }
    }
    try await server.with(interceptors: [log], handler: handler) { echo, _, _ in
      try await echo.expectEcho(of: [1])
    }
    #expect(
      log.lines.withLock(\.self) == ["0 starts", "0 ends UNAVAILABLE", "0 starts", "0 ends OK"])
  }

  @Test func eachAttemptHasMetadataOfItsOwn() async throws {
    let tokens = Mutex<[String?]>([])
    let attempts = Counter()
    let handler: ScriptedServer.Handler = {
      $0.onEnd = { stream in
        tokens.withLock { $0.append(stream.headers["token"]) }
        if attempts.next() < 2 { stream.fail("14") } else { stream.echo() }
      }
    }
    try await server.with(interceptors: [Tokens()], handler: handler) { echo, _, _ in
      try await echo.expectEcho(of: [1])
    }
    #expect(tokens.withLock(\.self) == ["0", "1", "2"])
  }

  @Test func interceptorsNestAndAStreamHasThem() async throws {
    let log = Log()
    let outer = Log(named: "outer ", into: log)
    let inner = Log(named: "inner ", into: log)
    try await server.with(interceptors: [outer, inner], handler: { $0.onEnd = { $0.echo() } }) {
      echo, _, _ in
      let response = try await echo.collect { try await $0.write([1]) }
      #expect(try response.message == [1])
    }
    #expect(
      log.lines.withLock(\.self) == [
        "outer 0 starts", "inner 0 starts", "inner 0 ends OK", "outer 0 ends OK",
      ])
  }

  @Test func metadataThatCannotBeSentFailsTheCall() async throws {
    let log = Log()
    try await server.with(
      PolicyServer.hedge(.seconds(600), []), interceptors: [log, Tokens(key: "grpc-status")],
      handler: { $0.onEnd = { $0.echo() } }
    ) { echo, _, _ in
      let response = try await echo.unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .internalError)
    }
    #expect(log.lines.withLock(\.self) == ["0 starts", "0 ends INTERNAL"])
  }

  /// Adds a header that says which attempt it is.
  private struct Tokens: CallAttemptInterceptor {
    var key = "token"

    func attemptWillStart(_ attempt: CallAttempt, metadata: inout Metadata) {
      metadata.replaceOrAddString("\(attempt.previousAttempts)", forKey: key)
    }
  }

  private final class Log: CallAttemptInterceptor {
    let lines = Mutex<[String]>([])
    private let name: String
    private let target: Log?

    init(named name: String = "", into target: Log? = nil) {
      self.name = name
      self.target = target
    }

    private func add(_ line: String) {
      (target ?? self).lines.withLock { $0.append(name + line) }
    }

    func attemptWillStart(_ attempt: CallAttempt, metadata: inout Metadata) {
      #expect(attempt.method.service.fullyQualifiedService == "test.Echo")
      #expect(attempt.remotePeer.hasPrefix("unix:/"))
      add("\(attempt.previousAttempts) starts")
    }

    func attemptDidEnd(_ attempt: CallAttempt, status: Status, trailingMetadata: Metadata) {
      let why = trailingMetadata[stringValues: "why"].map { " \($0)" }.joined()
      add("\(attempt.previousAttempts) ends \(status.code)\(why)")
    }
  }
}
