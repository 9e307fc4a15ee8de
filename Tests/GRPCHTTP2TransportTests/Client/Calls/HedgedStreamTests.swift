import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

/// Calls of many messages of which several attempts are on their way at once.
@Suite(.timeLimit(.minutes(1))) struct HedgedStreamTests {
  private let server = PolicyServer()

  /// Hands the requests over to the test as they come.
  private func arrivals() -> (AsyncStream<ScriptedStream>, ScriptedServer.Handler) {
    let (arrivals, arrival) = AsyncStream.makeStream(of: ScriptedStream.self)
    return (arrivals, { arrival.yield($0) })
  }

  private func closes(_ count: Int, of server: ScriptedServer) async throws -> [String] {
    var closes = server.closes.makeAsyncIterator()
    var codes: [String] = []
    for _ in 0..<count { codes.append(try #require(await closes.next())) }
    return codes.sorted()
  }

  @Test func everyAttemptGetsTheWholeRequest() async throws {
    let seen = Counter()
    // Only the third attempt is answered.
    let handler: ScriptedServer.Handler = { stream in
      if seen.next() == 2 { stream.onEnd = { $0.respond(messages: [$0.received]) } }
    }
    try await server.with(PolicyServer.hedge(.milliseconds(1)), handler: handler) {
      echo, _, server in
      let response = try await echo.collect { writer in
        for number in UInt8(0)..<100 { try await writer.write([number]) }
      }
      #expect(try response.message == (UInt8(0)..<100).flatMap { [0, 0, 0, 0, 1, $0] })
      #expect(try await closes(3, of: server) == ["CANCEL", "CANCEL", "NO_ERROR"])
    }
  }

  @Test func theFirstResponseToBeginIsTheCalls() async throws {
    let (arrivals, handler) = arrivals()
    try await server.with(PolicyServer.hedge(.zero), handler: handler) { echo, _, server in
      let (turns, turn) = AsyncStream.makeStream(of: UInt8.self)
      turn.yield(1)
      turn.yield(2)
      async let chosen = {
        var streams: [ScriptedStream] = []
        for await stream in arrivals {
          streams.append(stream)
          if streams.count == 3 { break }
        }
        let chosen = streams[1]
        await server.onLoop { _ in
          chosen.begin()
          chosen.send([7])
          chosen.onEnd = {
            $0.send($0.received)
            $0.finish()
          }
        }
      }()
      try await echo.bidirectional { writer in
        for await number in turns { try await writer.write([number]) }
      } _: { response in
        var messages = response.messages.makeAsyncIterator()
        let first = try await messages.next(isolation: nil)
        #expect(first == [7])
        let codes = try await closes(2, of: server)
        #expect(codes == ["CANCEL", "CANCEL"])
        // Written after the choice.
        turn.yield(3)
        turn.finish()
        let request = try await messages.next(isolation: nil)
        #expect(request == [0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 1, 3])
        let end = try await messages.next(isolation: nil)
        #expect(end == nil)
      }
      await chosen
    }
  }

  @Test func aFailureThatIsNotFatalMakesTheNextAttemptAtOnce() async throws {
    let seen = Counter()
    let handler: ScriptedServer.Handler = {
      $0.onEnd = {
        if seen.next() < 2 { return $0.fail("14") }
        let attempts = $0.headers["grpc-previous-rpc-attempts"] ?? "none"
        $0.respond(messages: [Array(attempts.utf8)] + (0..<1000).map { [UInt8]("\($0)".utf8) })
      }
    }
    try await server.with(PolicyServer.hedge(.seconds(600)), handler: handler) { echo, _, _ in
      try await echo.expand(0) { response in
        var messages: [String] = []
        for try await message in response.messages {
          messages.append(String(decoding: message, as: UTF8.self))
        }
        #expect(messages == ["2"] + (0..<1000).map { "\($0)" })
      }
    }
  }

  @Test func theMessagesOfAnAttemptMayBeCompressed() async throws {
    let message = [UInt8](repeating: 7, count: 10_000)
    let compressed = MessageCompressor(.gzip).compress(message) ?? []
    let handler: ScriptedServer.Handler = {
      $0.onEnd = { stream in
        guard stream.headers[":path"] == "/test.Echo/Expand" else { return stream.echo() }
        for _ in 0..<3 { stream.outbound.append(compressed, isCompressed: true) }
        stream.outbound.append([1, 2, 3], isCompressed: true)
        stream.respond(headers: ScriptedStream.gzipHeaders)
      }
    }
    try await server.with(PolicyServer.hedge(.seconds(600)), handler: handler) { echo, _, _ in
      try await echo.expand(0) { response in
        // The attempt has ended when this is answered.
        try await echo.expectEcho(of: [1])
        var messages = response.messages.makeAsyncIterator()
        for _ in 0..<3 {
          let received = try await messages.next(isolation: nil)
          #expect(received == message)
        }
        let error = await #expect(throws: RPCError.self) { try await messages.next(isolation: nil) }
        #expect(error?.code == .internalError)
      }
    }
  }

  @Test(arguments: [
    ("3", [], 1), ("14", [("grpc-retry-pushback-ms", "-1")], 1), ("14", [], 3),
  ]) func afterTheLastAttemptTheCallHasFailed(
    status: String, trailers: [(String, String)], attempts: Int
  ) async throws {
    let seen = Counter()
    let handler: ScriptedServer.Handler = {
      $0.onEnd = {
        _ = seen.next()
        $0.fail(status, trailers)
      }
    }
    try await server.with(PolicyServer.hedge(.seconds(600)), handler: handler) { echo, _, _ in
      let code = try await echo.expand(0) { response in
        #expect(throws: RPCError.self) { try response.accepted.get() }?.code
      }
      #expect(code == (status == "3" ? .invalidArgument : .unavailable))
    }
    #expect(seen.next() == attempts)
  }

  @Test func aResponseThatHasBegunIsNotGivenUpForAnother() async throws {
    let seen = Counter()
    let handler: ScriptedServer.Handler = {
      $0.onEnd = {
        _ = seen.next()
        $0.respond(messages: [[1]], trailers: [("grpc-status", "14")])
      }
    }
    try await server.with(PolicyServer.hedge(.seconds(600)), handler: handler) { echo, _, _ in
      try await echo.expand(0) { response in
        var messages = response.messages.makeAsyncIterator()
        let message = try await messages.next(isolation: nil)
        #expect(message == [1])
        let error = await #expect(throws: RPCError.self) { try await messages.next(isolation: nil) }
        #expect(error?.code == .unavailable)
      }
    }
    #expect(seen.next() == 1)
  }

  @Test func aRequestThatIsTooLongToBeKeptIsSentOnce() async throws {
    let (arrivals, handler) = arrivals()
    try await server.with(
      PolicyServer.hedge(.seconds(600)), retryBufferBytes: 50, handler: handler
    ) { echo, _, server in
      async let response = echo.collect { writer in
        for number in UInt8(0)..<100 { try await writer.write([number]) }
      }
      var streams = arrivals.makeAsyncIterator()
      let stream = try #require(await streams.next())
      await server.onLoop { _ in
        if stream.received.count == 600 {
          stream.fail("14")
        } else {
          stream.onEnd = { $0.fail("14") }
        }
      }
      let answer = try await response
      let error = #expect(throws: RPCError.self) { try answer.message }
      #expect(error?.code == .unavailable)
      #expect(await server.onLoop { $0.mostStreams } == 1)
    }
  }

  /// The writer goes on as the fastest server reads; with more than can be kept that one alone is left.
  @Test func aServerThatDoesNotReadHoldsNobodyUp() async throws {
    let seen = Counter()
    let handler: ScriptedServer.Handler = { stream in
      stream.consumes = seen.next() == 1
      stream.onEnd = { $0.respond(messages: [[UInt8]("\($0.received.count)".utf8)]) }
    }
    var settings = HTTP2Settings()
    settings.initialWindowSize = 20_000
    // A window that grew to what can be kept would have all servers look equally fast.
    settings.maxWindowSize = 20_000
    try await server.with(
      PolicyServer.hedge(.milliseconds(1)), settings: settings, handler: handler
    ) { echo, _, server in
      let response = try await echo.collect { writer in
        // Both attempts are there before more is written than can be kept.
        try await writer.write([])
        while await server.onLoop({ $0.mostStreams }) < 2 {}
        for _ in 0..<1000 { try await writer.write([UInt8](repeating: 1, count: 10_000)) }
      }
      #expect(try response.message == [UInt8]("\(5 + 1000 * 10_005)".utf8))
    }
  }

  @Test func leavingTheCallEndsEveryAttempt() async throws {
    let (arrivals, handler) = arrivals()
    try await server.with(PolicyServer.hedge(.zero), handler: handler) { echo, _, server in
      let call = Task { try await echo.expand(0) { _ in } }
      var streams = arrivals.makeAsyncIterator()
      for _ in 0..<3 { _ = await streams.next() }
      call.cancel()
      _ = await call.result
      let codes = try await closes(3, of: server)
      #expect(codes == ["CANCEL", "CANCEL", "CANCEL"])
    }
  }

  @Test func theDeadlineEndsAllAttempts() async throws {
    try await server.with(PolicyServer.hedge(.zero), timeout: .milliseconds(20), handler: { _ in })
    { echo, _, _ in
      let code = try await echo.expand(0) { response in
        #expect(throws: RPCError.self) { try response.accepted.get() }?.code
      }
      #expect(code == .deadlineExceeded)
    }
  }
}
