import GRPCCore
import Testing

import class KartTesting.Latch

@testable import GRPCHTTP2Transport

/// What becomes of a call when the server does this or that.
@Suite(.timeLimit(.minutes(1))) struct ClientCallTests {
  private let socket = TestSocket()

  private func failure(
    options: CallOptions = .defaults,
    _ handler: @escaping @Sendable (ScriptedStream) -> Void
  ) async throws -> RPCError {
    try await socket.withServer(handler: { $0.onEnd = handler }) { client, _ in
      let response = try await client.unary([1, 2, 3], options: options)
      return try #require(throws: RPCError.self) { try response.message }
    }
  }

  @Test func theRequestIsGRPCs() async throws {
    try await socket.withServer(handler: {
      $0.onEnd = { $0.respond(messages: [Self.dump($0.headers)]) }
    }) {
      client, _ in
      var options = CallOptions.defaults
      options.timeout = .seconds(100)
      let response = try await client.unary(
        [1], metadata: ["x-text": "some text", "x-data-bin": .binary([0, 255])], options: options)
      let headers = String(decoding: try response.message, as: UTF8.self).split(separator: "\n")
      #expect(
        headers.filter { !$0.hasPrefix("grpc-timeout") } == [
          ":authority localhost", ":method POST", ":path /test.Echo/Unary", ":scheme http",
          "content-type application/grpc", "grpc-accept-encoding identity,deflate,gzip",
          "te trailers", "user-agent grpc-swiftkart/1.0",
          "x-data-bin AP8", "x-text some text",
        ])
      let timeout = try #require(headers.first { $0.hasPrefix("grpc-timeout ") })
      let microseconds = try #require(Int(timeout.dropFirst("grpc-timeout ".count).dropLast()))
      #expect(timeout.hasSuffix("u") && (1..<100_000_000).contains(microseconds))
    }
  }

  private static func dump(_ headers: [String: String]) -> [UInt8] {
    Array(headers.map { "\($0) \($1)" }.sorted().joined(separator: "\n").utf8)
  }

  @Test func metadataComesBack() async throws {
    try await socket.withServer(handler: {
      $0.onEnd = {
        $0.respond(
          headers: ScriptedStream.usualHeaders + [("a", "1"), ("b-bin", "AP8,AQ==")],
          messages: [[7]], trailers: [("grpc-status", "0"), ("c", "3")])
      }
    }) { client, _ in
      let response = try await client.unary([])
      #expect(try response.message == [7])
      #expect(response.metadata == ["a": "1", "b-bin": .binary([0, 255]), "b-bin": .binary([1])])
      #expect(response.trailingMetadata == ["c": "3"])
    }
  }

  @Test(arguments: [
    ("5", RPCError.Code.notFound), ("16", .unauthenticated), ("17", .unknown), ("x", .unknown),
    ("-1", .unknown), ("", .unknown),
  ])
  func statusOfTrailersOnly(status: String, code: RPCError.Code) async throws {
    let error = try await failure {
      $0.refuse(
        ScriptedStream.usualHeaders + [
          ("grpc-status", status), ("grpc-message", "no%20%C3%B6re"), ("why", "because"),
        ])
    }
    #expect(error == RPCError(code: code, message: "no öre", metadata: ["why": "because"]))
  }

  @Test func statusOfTrailersAfterAMessage() async throws {
    let error = try await failure {
      $0.respond(messages: [[1]], trailers: [("grpc-status", "8"), ("grpc-message", "full")])
    }
    #expect(error.code == .resourceExhausted)
    #expect(error.message == "full")
  }

  @Test(arguments: [
    (400, RPCError.Code.internalError), (401, .unauthenticated), (403, .permissionDenied),
    (404, .unimplemented), (429, .unavailable), (502, .unavailable), (503, .unavailable),
    (504, .unavailable), (500, .unknown), (200, .unknown), (302, .unknown),
  ])
  func statusOfAnAnswerThatIsNotGRPC(http: Int, code: RPCError.Code) async throws {
    let error = try await failure {
      $0.respond(
        headers: [(":status", "\(http)"), ("content-type", "text/html")], messages: [[1]],
        trailers: nil)
    }
    #expect(error.code == code)
    #expect(
      error.message == "The answer is not gRPC's: HTTP status \(http), content type “text/html”.")
  }

  @Test(arguments: [
    (HTTP2ErrorCode.noError, RPCError.Code.internalError), (.protocolError, .internalError),
    (.internalError, .internalError), (.flowControlError, .internalError),
    (.settingsTimeout, .internalError), (.frameSizeError, .internalError),
    (.refusedStream, .unavailable), (.cancel, .cancelled), (.compressionError, .internalError),
    (.connectError, .internalError), (.enhanceYourCalm, .resourceExhausted),
    (.inadequateSecurity, .permissionDenied), (.http11Required, .internalError),
    (HTTP2ErrorCode(rawValue: 0xabc), .unknown),
  ])
  func statusOfAReset(reset: HTTP2ErrorCode, code: RPCError.Code) async throws {
    #expect(try await failure { $0.reset(reset) }.code == code)
  }

  @Test func interimResponsesArePassedOver() async throws {
    try await socket.withServer(handler: {
      $0.onEnd = {
        $0.interim([(":status", "100")])
        $0.interim([(":status", "103"), ("link", "</style.css>"), ("grpc-status", "13")])
        $0.respond(headers: ScriptedStream.usualHeaders + [("a", "1")], messages: [[7]])
      }
    }) { client, _ in
      let response = try await client.unary([])
      #expect(try response.message == [7])
      #expect(response.metadata == ["a": "1"])
    }
  }

  @Test(arguments: [HTTP2ErrorCode.noError, .cancel, .internalError])
  func aResetBehindACompleteResponseChangesNothing(code: HTTP2ErrorCode) async throws {
    // The request is still open, so that the stream is as well when its response has ended.
    try await socket.withServer(handler: { stream in
      stream.onData = {
        guard $0.received.count >= 6 else { return }
        $0.onData = nil
        $0.respond(messages: [[7]], trailers: [("grpc-status", "0"), ("t", "1")])
        $0.connection.session.resetLate($0, code)
      }
    }) { client, _ in
      let response = try await client.collect { writer in
        do {
          while true { try await writer.write([1]) }
        } catch {
          // The response has come.
        }
      }
      #expect(try response.message == [7])
      #expect(response.trailingMetadata == ["t": "1"])
    }
  }

  @Test func aServerThatKeepsTheDeadlineIsNotTakenToCancel() async throws {
    // It keeps the deadline by its own clock, which began later than the client's.
    try await socket.withServer(handler: { stream in
      let timeout = Int(stream.headers["grpc-timeout"]?.dropLast() ?? "") ?? 0
      stream.server.loop.schedule(after: .microseconds(timeout)) { stream.reset(.cancel) }
    }) { client, _ in
      var options = CallOptions.defaults
      options.timeout = .milliseconds(5)
      for _ in 0..<20 {
        let response = try await client.unary([], options: options)
        let error = try #require(throws: RPCError.self) { try response.message }
        #expect(error.code == .deadlineExceeded)
      }
    }
  }

  @Test func statusOfAResponseThatEndsWithoutOne() async throws {
    #expect(try await failure { $0.respond(messages: [[1]], trailers: nil) }.code == .unknown)
    #expect(
      try await failure { $0.respond(messages: [[1]], trailers: [("a", "b")]) }.code == .unknown)
    #expect(try await failure { $0.refuse(ScriptedStream.usualHeaders) }.code == .unknown)
  }

  @Test(arguments: [0, 2, 3]) func aUnaryResponseHasOneMessage(count: Int) async throws {
    let error = try await failure {
      $0.respond(messages: Array(repeating: [1], count: count))
    }
    #expect(error.code == .unimplemented)
  }

  @Test func aResponseMayNotBeTooLarge() async throws {
    var options = CallOptions.defaults
    options.maxResponseMessageBytes = 1000
    let error = try await failure(options: options) {
      $0.respond(messages: [[UInt8](repeating: 1, count: 1001)])
    }
    #expect(error.code == .resourceExhausted)
    #expect(error.message == "A response message has 1001 bytes, and the limit is 1000.")
  }

  @Test func aResponseMayBeAsLargeAsTheOptionsSay() async throws {
    try await socket.withServer(handler: {
      $0.onEnd = { $0.respond(messages: [[UInt8](repeating: 1, count: 8 << 20)]) }
    }) { client, _ in
      var options = CallOptions.defaults
      options.maxResponseMessageBytes = 8 << 20
      let response = try await client.unary([], options: options)
      #expect(try response.message.count == 8 << 20)
    }
  }

  @Test func aCallThatIsRefusedOnceIsSentAgain() async throws {
    let refusals = Counter()
    try await socket.withServer(handler: {
      $0.onEnd = { if refusals.next() == 0 { $0.reset(.refusedStream) } else { $0.echo() } }
    }) { client, _ in
      let response = try await client.unary([1, 2, 3])
      #expect(try response.message == [1, 2, 3])
    }
    #expect(refusals.next() == 2)
  }

  @Test func callsBeyondTheServersLimitWait() async throws {
    var settings = HTTP2Settings()
    settings.maxConcurrentStreams = 3
    try await socket.withServer(settings: settings, handler: { $0.onEnd = { $0.echo() } }) {
      client, server in
      try await withThrowingTaskGroup(of: [UInt8].self) { group in
        for _ in 0..<100 { group.addTask { try await client.unary([1]).message } }
        for try await message in group { #expect(message == [1]) }
      }
      #expect(await server.onLoop(\.mostStreams) <= 3)
    }
  }

  /// A frame of it may be half on its way when the call is given up.
  @Test(arguments: [true, false])
  func whatIsSentOfACallThatIsGivenUpIsTrue(isUnary: Bool) async throws {
    let server = try DeafServer()
    let transport = try server.transport()
    let message = (0..<4 << 20).map { UInt8($0 % 251 + 1) }
    try await withGRPCClient(transport: transport) { client in
      let echo = EchoClient(client: client)
      let call = Task {
        isUnary
          ? try await echo.unary(message)
          : try await echo.collect { try await $0.write(message) }
      }
      await DeafServer.isFull(transport)
      call.cancel()
      _ = await call.result
      let request = try await server.request()
      #expect(request.events.last == "closed CANCEL")
      #expect(request.received.count > 100_000)
      // Not in the expectation, which would print them.
      let isTrue = message.starts(with: request.received.dropFirst(5))
      #expect(isTrue)
    }
  }

  @Test func aDeadlineEndsTheCallAndResetsItsStream() async throws {
    try await socket.withServer(handler: { $0.onEnd = { $0.echo() } }) { client, server in
      _ = try await client.unary([1])
      let arrival = Latch<Void>()
      await server.onLoop { $0.handler = { _ in arrival.close(with: ()) } }
      var options = CallOptions.defaults
      options.timeout = .milliseconds(100)
      // On a busy machine the deadline may pass before the call is sent.
      repeat {
        let response = try await client.unary([1], options: options)
        let error = #expect(throws: RPCError.self) { try response.message }
        #expect(error?.code == .deadlineExceeded)
      } while arrival.current == nil
      var closes = server.closes.makeAsyncIterator()
      #expect(await closes.next() == "NO_ERROR")
      #expect(await closes.next() == "CANCEL")
    }
  }

  @Test func aCallWhoseDeadlineIsOverIsNotSent() async throws {
    try await socket.withServer(handler: { _ in }) { client, _ in
      var options = CallOptions.defaults
      options.timeout = .zero
      let response = try await client.unary([1], options: options)
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .deadlineExceeded)
    }
  }

  @Test func aCallInAHandlerInheritsItsDeadline() async throws {
    try await socket.withServer(handler: { _ in }) { client, _ in
      let context = ServerContext(
        descriptor: EchoClient.method("Unary"), remotePeer: "", localPeer: "",
        cancellation: ServerContext.RPCCancellationHandle(), deadline: .now + .milliseconds(20))
      var options = CallOptions.defaults
      options.timeout = .seconds(3600)
      let response = try await ServerContext.$current.withValue(context) { [options] in
        try await client.unary([1], options: options)
      }
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .deadlineExceeded)
    }
  }

  /// As the task of a handler is whose deadline has passed.
  @Test func aCallThatIsCancelledAfterItsDeadlineHasExceededIt() async throws {
    try await socket.withServer(handler: { _ in }) { client, _ in
      let context = ServerContext(
        descriptor: EchoClient.method("Unary"), remotePeer: "", localPeer: "",
        cancellation: ServerContext.RPCCancellationHandle(), deadline: .now)
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await ServerContext.$current.withValue(context) {
          try await client.unary([1])
        }
      }
      let response = try await task.value
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .deadlineExceeded)
    }
  }

  @Test func aCancelledTaskEndsTheCallAndResetsItsStream() async throws {
    let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    try await socket.withServer(handler: { _ in arrival.yield() }) { client, server in
      let task = Task { try await client.unary([1]) }
      var iterator = arrivals.makeAsyncIterator()
      await iterator.next()
      task.cancel()
      let response = try await task.value
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .cancelled)
      var closes = server.closes.makeAsyncIterator()
      #expect(await closes.next() == "CANCEL")
    }
  }

  @Test func aTaskThatIsCancelledAlreadyMakesNoCall() async throws {
    try await socket.withServer(handler: { _ in }) { client, _ in
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await client.unary([1])
      }
      let response = try await task.value
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .cancelled)
    }
  }
}
