import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

/// Calls of many messages that the server has not acted on, or never got: they are sent again unseen.
///
/// See gRPC's proposal A6, "Transparent Retries".
@Suite(.timeLimit(.minutes(1))) struct ResentStreamTests {
  private let socket = TestSocket()

  /// How a server says that it has not acted on a call.
  private enum Refusal: CaseIterable {
    case reset
    case goAway

    func refuse(_ stream: ScriptedStream) {
      switch self {
      case .reset: stream.reset(.refusedStream)
      case .goAway: stream.connection.disown()
      }
    }
  }

  @Test(arguments: Refusal.allCases)
  private func aClientsStreamIsSentAgain(refusal: Refusal) async throws {
    let seen = Counter()
    try await socket.withServer(handler: { stream in
      stream.onEnd = {
        if seen.next() == 0 { refusal.refuse($0) } else { $0.respond(messages: [$0.received]) }
      }
    }) { client, _ in
      let response = try await client.collect { writer in
        for number in UInt8(0)..<100 { try await writer.write([number]) }
      }
      #expect(try response.message == (UInt8(0)..<100).flatMap { [0, 0, 0, 0, 1, $0] })
    }
    #expect(seen.next() == 2)
  }

  @Test(arguments: Refusal.allCases)
  private func aServersStreamIsAskedForAgain(refusal: Refusal) async throws {
    let seen = Counter()
    try await socket.withServer(handler: { stream in
      stream.onEnd = {
        if seen.next() == 0 { refusal.refuse($0) } else { $0.respond(messages: [[1], [2]]) }
      }
    }) { client, _ in
      let messages = try await client.expand(2) { response in
        var messages: [[UInt8]] = []
        for try await message in response.messages { messages.append(message) }
        return messages
      }
      #expect(messages == [[1], [2]])
    }
    #expect(seen.next() == 2)
  }

  /// It is refused with its first message, and what follows comes to the stream that took its place.
  @Test(arguments: Refusal.allCases)
  private func aConversationIsBegunAgain(refusal: Refusal) async throws {
    let seen = Counter()
    try await socket.withServer(handler: { stream in
      guard seen.next() > 0 else { return stream.onData = { refusal.refuse($0) } }
      stream.begin()
      stream.onData = { $0.send($0.takeMessage()) }
      stream.onEnd = { $0.finish() }
    }) { client, _ in
      let (turns, turn) = AsyncStream.makeStream(of: UInt8.self)
      turn.yield(0)
      try await client.bidirectional { writer in
        for await number in turns { try await writer.write([number]) }
      } _: { response in
        var next = UInt8(0)
        for try await message in response.messages {
          #expect(message == [next])
          next += 1
          if next < 10 { turn.yield(next) } else { turn.finish() }
        }
        #expect(next == 10)
      }
    }
    #expect(seen.next() == 2)
  }

  @Test func aCallThatIsRefusedAgainFails() async throws {
    let seen = Counter()
    try await socket.withServer(handler: {
      $0.onEnd = {
        _ = seen.next()
        $0.reset(.refusedStream)
      }
    }) { client, _ in
      let response = try await client.collect { try await $0.write([1]) }
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .unavailable)
    }
    #expect(seen.next() == 2)
  }

  /// It does not wait for a call that does not end.
  @Test(arguments: [(1, true), (Int.max, false)])
  func aCallThatIsRefusedBesideOneThatLastsIsSentAgain(refusals: Int, isAnswered: Bool)
    async throws
  {
    let seen = Counter()
    try await socket.withServer(handler: { stream in
      guard stream.headers[":path"] == "/test.Echo/Unary" else {
        stream.begin()
        return stream.onEnd = { $0.finish() }
      }
      stream.onEnd = { if seen.next() < refusals { $0.reset(.refusedStream) } else { $0.echo() } }
    }) { client, _ in
      let (ends, end) = AsyncStream.makeStream(of: Void.self)
      try await client.bidirectional { _ in
        for await _ in ends {}
      } _: { response in
        for number in UInt8(0)..<2 {
          let echo = try await client.unary([number])
          #expect((try? echo.message) == (isAnswered ? [number] : nil))
        }
        end.finish()
        for try await _ in response.messages {}
      }
    }
  }

  @Test(arguments: [
    (Refusal.reset, "The server reset the call's stream with REFUSED_STREAM."),
    (.goAway, "The server sent GOAWAY and has not acted on the call."),
  ]) private func aRequestThatIsTooLongToBeKeptIsSentOnce(refusal: Refusal, why: String)
    async throws
  {
    let seen = Counter()
    var configuration = socket.configuration
    configuration.retryBufferBytes = 5000
    try await socket.withServer(
      configuration: configuration,
      handler: {
        $0.onEnd = {
          if seen.next() == 0 { refusal.refuse($0) } else { $0.echo() }
        }
      }
    ) { client, _ in
      let response = try await client.collect { writer in
        for _ in 0..<6 { try await writer.write([UInt8](repeating: 1, count: 1000)) }
      }
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .unavailable)
      #expect(
        error?.message
          == "\(why) It is not sent again: of its request more was written than the 5000 bytes kept."
      )
    }
    #expect(seen.next() == 1)
  }

  @Test(arguments: [[], [[1], [2]]] as [[[UInt8]]])
  func aResponseThatHasBegunIsNotAskedForAgain(messages: [[UInt8]]) async throws {
    let seen = Counter()
    try await socket.withServer(handler: {
      $0.onEnd = {
        _ = seen.next()
        $0.begin()
        for message in messages { $0.send(message) }
        $0.connection.session.resetLate($0, .refusedStream)
      }
    }) { client, _ in
      try await client.expand(0) { response in
        var received: [[UInt8]] = []
        let error = await #expect(throws: RPCError.self) {
          for try await message in response.messages { received.append(message) }
        }
        #expect(error?.code == .unavailable)
        #expect(received == messages)
      }
    }
    #expect(seen.next() == 1)
  }

  @Test(arguments: [nil, PolicyServer.hedge(.seconds(600))])
  func aCallWhoseConnectionIsLostBeforeItWasSent(policy: RPCExecutionPolicy?) async throws {
    let seen = Counter()
    let server = try socket.server { stream in
      stream.onEnd = {
        _ = seen.next()
        let attempts = $0.headers["grpc-previous-rpc-attempts"] ?? "none"
        $0.respond(messages: [$0.received + attempts.utf8])
      }
    }
    var configuration = socket.configuration
    configuration.serviceConfig = ServiceConfig(methodConfig: [
      MethodConfig(names: [MethodConfig.Name(service: "")], executionPolicy: policy)
    ])
    let transport = try socket.transport(configuration)
    try await withGRPCClient(transport: transport) { client in
      // From now on there is a connection.
      _ = try await EchoClient(client: client).echo([])
      let call = StreamingCall(
        channel: transport.channel, method: EchoClient.method("Bidi"), options: .defaults)
      transport.channel.tell { channel in
        _ = try? call.write(.metadata([:]), WriteOptions())
        _ = try? call.write(.message([1]), WriteOptions())
        call.finishWriting()
        // The call is not written before the end of the tick.
        for subchannel in channel.endpoints?.flatMap(\.subchannels) ?? [] {
          subchannel.way.connection?.close()
        }
      }
      let source = StreamingCallSource(call)
      var messages: [[UInt8]] = []
      while let part = try await source.next() {
        if case .message(let message) = part { messages.append(message) }
      }
      #expect(messages == [[0, 0, 0, 0, 1, 1] + "none".utf8])
    }
    await server.kill()
    #expect(seen.next() == 2)
  }

  /// The server may have begun with it, although no message has left.
  @Test func aCallWhoseConnectionIsLostAfterItsHeadersFails() async throws {
    let seen = Counter()
    let (losses, loss) = AsyncStream.makeStream(of: Void.self)
    try await socket.withServer(handler: { stream in
      if seen.next() == 0 { stream.connection.close() } else { stream.onEnd = { $0.echo() } }
      loss.yield()
    }) { client, _ in
      let response = try await client.collect { writer in
        for await _ in losses { break }
        try await writer.write([1])
      }
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .unavailable)
    }
    #expect(seen.next() == 1)
  }
}
