import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

/// What becomes of calls when their server sends its clients away.
@Suite(.timeLimit(.minutes(1))) struct GoAwayTests {
  private let socket = TestSocket()

  @Test(arguments: [
    (HTTP2ErrorCode.noError, RPCError.Code?.none), (.enhanceYourCalm, nil), (.internalError, nil),
    (.noError, .unavailable), (.enhanceYourCalm, .unavailable), (.internalError, .unavailable),
  ])
  func callsThatWereSentBeforeAGoAwayEndAsTheServerSays(
    code: HTTP2ErrorCode, end: RPCError.Code?
  ) async throws {
    // The call is among those that the server has acted on. It answers, or closes the connection instead.
    let server = try socket.server { stream in
      stream.onEnd = { stream in
        stream.connection.session.submitGoAway(code)
        stream.connection.setNeedsFlush()
        if end == nil { stream.echo() } else { stream.connection.terminate(code) }
      }
    }
    try await withGRPCClient(transport: try socket.transport()) { client in
      let response = try await EchoClient(client: client).unary([1])
      if end == nil {
        #expect(try response.message == [1])
      } else {
        let error = #expect(throws: RPCError.self) { try response.message }
        #expect(error?.code == end)
      }
    }
    await server.kill()
  }

  @Test func afterGoAwayOldCallsEndAndNewOnesGoElsewhere() async throws {
    let (arrivals, arrival) = AsyncStream.makeStream(of: ScriptedStream.self)
    let server = try socket.server { stream in
      stream.onEnd = { if $0.message == [1] { arrival.yield($0) } else { $0.echo() } }
    }
    try await withGRPCClient(transport: try socket.transport()) { client in
      let echo = EchoClient(client: client)
      async let old = echo.echo([1])
      var iterator = arrivals.makeAsyncIterator()
      let stream = try #require(await iterator.next())
      await server.goAway()
      let message2 = try await echo.echo([2])
      #expect(message2 == [2])
      #expect(await server.onLoop { $0.connections.count } == 2)
      await server.onLoop { _ in stream.echo() }
      let message = try await old
      #expect(message == [1])
    }
    await server.kill()
  }

  /// What is left to say of the call finds no room, and neither does the client's own GOAWAY.
  ///
  /// - Parameters:
  ///   - refuses: Whether the server has not acted on the call.
  ///   - isLate: Whether the call is given up when the GOAWAY has come.
  @Test(arguments: [(true, false), (false, false), (false, true)])
  func aConnectionThatIsNotReadIsClosedOnceItHasNoCalls(
    refuses: Bool, isLate: Bool
  ) async throws {
    let server = try DeafServer()
    let transport = try server.transport()
    try await withGRPCClient(transport: transport) { client in
      let call = Task {
        try await EchoClient(client: client).unary([UInt8](repeating: 1, count: 4 << 20))
      }
      await DeafServer.isFull(transport)
      if isLate {
        try server.sayGoAway(refuses: refuses)
        for await state in transport.connectivityStates where state == .idle { break }
        call.cancel()
      } else {
        call.cancel()
        _ = await call.result
        try server.sayGoAway(refuses: refuses)
      }
      await server.isLeft()
      _ = await call.result
    }
  }

  /// A server that has enough of PINGs gets half as many from the next connection.
  @Test(arguments: [("too_many_pings", 80), ("too_many_calls", 10)])
  func aServerThatIsAskedTooOftenIsAskedLess(words: String, seconds: Int) async throws {
    let server = try socket.server { stream in
      stream.onEnd = {
        $0.connection.session.submitGoAway(.enhanceYourCalm, saying: words)
        $0.echo()
      }
    }
    var configuration = HTTP2ClientTransport.Configuration.defaults
    configuration.keepalive = Keepalive(time: .seconds(10))
    let transport = try HTTP2ClientTransport(
      target: "\(server.address)", configuration: configuration)
    try await withGRPCClient(transport: transport) { client in
      for _ in 0..<3 { try await EchoClient(client: client).expectEcho(of: [1]) }
      #expect(await keepaliveTime(of: transport) == .seconds(seconds))
      #expect(await server.onLoop { $0.connections.count } == 3)
    }
    await server.kill()
  }

  private func keepaliveTime(of transport: HTTP2ClientTransport) async -> Duration? {
    await withCheckedContinuation { continuation in
      transport.channel.tell { continuation.resume(returning: $0.keepalive?.time) }
    }
  }

  @Test func complaintsAreHeardOncePerConnectionAndUpToALimit() async throws {
    let server = try socket.server { stream in
      stream.onEnd = {
        for _ in 0..<200 {
          $0.connection.session.submitGoAway(.enhanceYourCalm, saying: "too_many_pings")
        }
        $0.echo()
      }
    }
    var configuration = socket.configuration
    configuration.keepalive = Keepalive(time: .seconds(10))
    let transport = try socket.transport(configuration)
    try await withGRPCClient(transport: transport) { client in
      for (calls, seconds) in [(1, 20), (20, 163_840)] {
        for _ in 0..<calls { try await EchoClient(client: client).expectEcho(of: [1]) }
        #expect(await keepaliveTime(of: transport) == .seconds(seconds))
      }
    }
    await server.kill()
  }

  /// It is sent twice, and the second time without words.
  @Test func whyAServerHasEndedTheConnectionIsInTheCallsErrors() async throws {
    let server = try socket.server { stream in
      stream.onEnd = { $0.connection.terminate(.enhanceYourCalm, saying: "too_many_resets") }
    }
    try await withGRPCClient(transport: try socket.transport()) { client in
      let response = try await EchoClient(client: client).unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .unavailable)
      #expect(
        error?.message.contains("GOAWAY with ENHANCE_YOUR_CALM (too_many_resets)") == true,
        "\(String(describing: error))")
    }
    await server.kill()
  }

  @Test func callsThatTheServerHasNotActedOnAreSentAgain() async throws {
    let goAways = Counter()
    let server = try socket.server { stream in
      if stream.id == 5, goAways.next() == 0 {
        stream.connection.session.submitGoAway(.noError)
        stream.connection.setNeedsFlush()
      }
      stream.onEnd = { $0.echo() }
    }
    try await withGRPCClient(transport: try socket.transport()) { client in
      let echo = EchoClient(client: client)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in UInt8(0)..<50 {
          group.addTask {
            let message = try await echo.echo([number])
            #expect(message == [number])
          }
        }
        try await group.waitForAll()
      }
    }
    await server.kill()
  }

  /// Each is sent again while others are on their way, but those are refused as well.
  @Test func callsThatAreAllRefusedFail() async throws {
    let server = try socket.server { $0.reset(.refusedStream) }
    try await withGRPCClient(transport: try socket.transport()) { client in
      try await withThrowingTaskGroup(of: RPCError?.self) { calls in
        for number in UInt8(0)..<20 {
          calls.addTask {
            let response = try await EchoClient(client: client).unary([number])
            return #expect(throws: RPCError.self) { try response.message }
          }
        }
        for try await error in calls { #expect(error?.code == .unavailable) }
      }
    }
    await server.kill()
  }
}
