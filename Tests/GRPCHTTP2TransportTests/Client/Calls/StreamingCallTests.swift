import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

@Suite(.timeLimit(.minutes(1))) struct StreamingCallTests {
  private let socket = TestSocket()

  @Test func aServersMessagesComeInOrder() async throws {
    try await socket.withServer(handler: { stream in
      stream.onEnd = { $0.respond(messages: (0..<1000).map { [UInt8]("\($0)".utf8) }) }
    }) { client, _ in
      let count = try await client.expand(0) { response in
        var next = 0
        for try await message in response.messages {
          #expect(String(decoding: message, as: UTF8.self) == "\(next)")
          next += 1
        }
        return next
      }
      #expect(count == 1000)
    }
  }

  @Test func aClientsMessagesArriveWhole() async throws {
    try await socket.withServer(handler: { stream in
      stream.onEnd = { $0.respond(messages: [[UInt8]("\($0.received.count)".utf8)]) }
    }) { client, _ in
      let response = try await client.collect { writer in
        for size in 0..<1000 { try await writer.write([UInt8](repeating: 1, count: size)) }
      }
      #expect(try response.message == [UInt8]("\(1000 * 5 + 999 * 1000 / 2)".utf8))
    }
  }

  @Test func messagesGoBothWaysInTurn() async throws {
    try await socket.withServer(handler: { stream in
      stream.begin()
      stream.onData = { $0.send($0.takeMessage()) }
      stream.onEnd = { $0.finish() }
    }) { client, _ in
      let (turns, turn) = AsyncStream.makeStream(of: Int.self)
      turn.yield(0)
      let last = try await client.bidirectional { writer in
        for await number in turns { try await writer.write([UInt8("\(number)".utf8.count)]) }
      } _: { response in
        var count = 0
        for try await _ in response.messages {
          count += 1
          if count < 100 { turn.yield(count) } else { turn.finish() }
        }
        return count
      }
      #expect(last == 100)
    }
  }

  @Test func aReaderThatStallsHoldsUpItsSenderAndNobodyElse() async throws {
    let size = 100_000
    let count = 50
    try await socket.withServer(handler: { stream in
      stream.onEnd = { stream in
        guard stream.headers[":path"] == "/test.Echo/Expand" else { return stream.echo() }
        stream.respond(messages: Array(repeating: [UInt8](repeating: 7, count: size), count: count))
      }
    }) { client, server in
      let received = try await client.expand(0) { response in
        // Not reading yet: another call on the connection goes through.
        let message = try await client.echo([1])
        #expect(message == [1])
        let unsent = await server.onLoop { server in
          server.connections.flatMap(\.session.streams).map(\.outbound.byteCount).reduce(0, +)
        }
        #expect(unsent > size * count / 2)
        var received = 0
        for try await message in response.messages { received += message.count }
        return received
      }
      #expect(received == size * count)
    }
  }

  @Test func theWindowBoundsCompressedMessagesAsTheyWereSent() async throws {
    let window = 64 << 10
    var random = SystemRandomNumberGenerator()
    let messages = (0..<200).map { _ in
      (0..<(8 << 10)).map { _ in UInt8.random(in: 0...255, using: &random) }
        + [UInt8](repeating: 0, count: 56 << 10)
    }
    let compressed = messages.map { MessageCompressor(.gzip).compress($0) ?? [] }
    var configuration = HTTP2ClientTransport.Configuration.defaults
    configuration.initialWindowBytes = window
    configuration.maxWindowBytes = window
    try await socket.withServer(
      configuration: configuration,
      handler: { stream in
        stream.onEnd = { stream in
          guard stream.headers[":path"] == "/test.Echo/Expand" else { return stream.echo() }
          for message in compressed { stream.outbound.append(message, isCompressed: true) }
          stream.respond(headers: ScriptedStream.gzipHeaders)
        }
      }
    ) { client, server in
      try await client.expand(0) { response in
        var received = response.messages.makeAsyncIterator()
        for expected in messages[..<4] {
          let message = try await received.next(isolation: nil)
          #expect(message == expected)
        }
        // What the reads let the server send is sent when these are answered.
        for _ in 0..<2 { try await client.expectEcho(of: [1]) }
        let unsent = await server.onLoop { server in
          server.connections.flatMap(\.session.streams).map(\.outbound.byteCount).reduce(0, +)
        }
        let size = { (messages: ArraySlice<[UInt8]>) in messages.reduce(0) { $0 + 5 + $1.count } }
        #expect(size(compressed[...]) - unsent <= window + size(compressed[..<4]) + (16 << 10))
        for expected in messages[4...] {
          let message = try await received.next(isolation: nil)
          #expect(message == expected)
        }
        let end = try await received.next(isolation: nil)
        #expect(end == nil)
      }
    }
  }

  /// Even if the server has ended the call with OK meanwhile.
  @Test func whatCannotBeDecompressedFailsTheReadThatComesToIt() async throws {
    try await socket.withServer(handler: { stream in
      stream.onEnd = { stream in
        guard stream.headers[":path"] == "/test.Echo/Expand" else { return stream.echo() }
        stream.outbound.append([1])
        stream.outbound.append([1, 2, 3], isCompressed: true)
        stream.outbound.append([2])
        stream.respond(headers: ScriptedStream.gzipHeaders)
      }
    }) { client, _ in
      try await client.expand(0) { response in
        // The whole response is there when this is answered.
        try await client.expectEcho(of: [1])
        var messages = response.messages.makeAsyncIterator()
        let message = try await messages.next(isolation: nil)
        #expect(message == [1])
        let error = await #expect(throws: RPCError.self) { try await messages.next(isolation: nil) }
        #expect(error?.code == .internalError)
      }
    }
  }

  @Test func aMessageThatIsTooLargeOnceItIsDecompressedFailsItsReader() async throws {
    let bomb = MessageCompressor(.gzip).compress([UInt8](repeating: 0, count: 16 << 20)) ?? []
    try await socket.withServer(handler: { stream in
      stream.onData = { stream in
        stream.outbound.append(bomb, isCompressed: true)
        stream.respond(headers: ScriptedStream.gzipHeaders)
      }
    }) { client, _ in
      try await client.bidirectional { writer in
        try await writer.write([1])
      } _: { response in
        let error = await #expect(throws: RPCError.self) {
          for try await _ in response.messages {}
        }
        #expect(error?.code == .resourceExhausted)
      }
    }
  }

  @Test func aWriterIsSuspendedWhileTheServerDoesNotRead() async throws {
    let (fillings, filling) = AsyncStream.makeStream(of: ScriptedStream.self)
    let window = 256 << 10
    try await socket.withServer(handler: { stream in
      stream.consumes = false
      stream.onData = { if $0.held == window { filling.yield($0) } }
      stream.onEnd = { $0.respond(messages: [[UInt8]("\($0.received.count)".utf8)]) }
    }) { client, server in
      let written = Counter()
      let response = try await client.collect { writer in
        async let released: Void = {
          var iterator = fillings.makeAsyncIterator()
          guard let stream = await iterator.next() else { return }
          // The window and the buffer of 64 KiB are full.
          #expect(written.next() < (window + 2 * (64 << 10)) / 10_000)
          await server.onLoop { _ in stream.consumeAll() }
        }()
        for _ in 0..<1000 {
          try await writer.write([UInt8](repeating: 1, count: 10_000))
          _ = written.next()
        }
        await released
      }
      #expect(try response.message == [UInt8]("\(1000 * 10_005)".utf8))
    }
  }

  @Test func aStatusEndsTheMessages() async throws {
    try await socket.withServer(handler: { stream in
      stream.onEnd = {
        $0.respond(
          messages: [[1], [2]], trailers: [("grpc-status", "10"), ("grpc-message", "no")])
      }
    }) { client, _ in
      try await client.expand(0) { response in
        var messages = response.messages.makeAsyncIterator()
        let message2 = try await messages.next(isolation: nil)
        #expect(message2 == [1])
        let message3 = try await messages.next(isolation: nil)
        #expect(message3 == [2])
        let error = await #expect(throws: RPCError.self) { try await messages.next(isolation: nil) }
        #expect(error == RPCError(code: .aborted, message: "no"))
      }
    }
  }

  @Test func whiteSpaceAroundAServersFieldsIsNoPartOfThem() async throws {
    try await socket.withServer(handler: { stream in
      stream.onEnd = {
        $0.respond(
          headers: ScriptedStream.usualHeaders + [("x-a", " b ")],
          trailers: [("grpc-status", "10"), ("grpc-message", " no\t")])
      }
    }) { client, _ in
      try await client.expand(0) { response in
        #expect(Array(response.metadata[stringValues: "x-a"]) == ["b"])
        let error = await #expect(throws: RPCError.self) {
          for try await _ in response.messages {}
        }
        #expect(error == RPCError(code: .aborted, message: "no"))
      }
    }
  }

  @Test func aServerMayAnswerBeforeTheRequestHasEnded() async throws {
    try await socket.withServer(handler: { $0.respond(messages: [[9]]) }) { client, server in
      let (end, _) = AsyncStream.makeStream(of: Void.self)
      let response = try await client.collect { writer in
        try await writer.write([1])
        for await _ in end {}
      }
      #expect(try response.message == [9])
      var closes = server.closes.makeAsyncIterator()
      #expect(await closes.next() == "NO_ERROR")
    }
  }

  @Test func leavingACallResetsItsStream() async throws {
    try await socket.withServer(handler: {
      $0.begin(); $0.send([1])
    }) { client, server in
      try await client.expand(0) { response in
        var messages = response.messages.makeAsyncIterator()
        let message4 = try await messages.next(isolation: nil)
        #expect(message4 == [1])
      }
      var closes = server.closes.makeAsyncIterator()
      #expect(await closes.next() == "CANCEL")
    }
  }

  @Test func aProducerThatFailsCancelsTheCall() async throws {
    struct Mishap: Error {}
    let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    try await socket.withServer(handler: { _ in arrival.yield() }) { client, server in
      let response = try await client.collect { writer in
        var iterator = arrivals.makeAsyncIterator()
        await iterator.next()
        throw Mishap()
      }
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .cancelled)
      #expect(error?.cause is Mishap)
      var closes = server.closes.makeAsyncIterator()
      #expect(await closes.next() == "CANCEL")
    }
  }

  @Test func aDeadlineEndsAReadAndAWrite() async throws {
    try await socket.withServer(handler: {
      $0.consumes = false
      $0.begin()
    }) { client, _ in
      var options = CallOptions.defaults
      options.timeout = .milliseconds(50)
      let writes = try await client.bidirectional(options: options) { writer in
        while true { try await writer.write([UInt8](repeating: 0, count: 10_000)) }
      } _: { response in
        var messages = response.messages.makeAsyncIterator()
        return await #expect(throws: RPCError.self) { try await messages.next(isolation: nil) }?
          .code
      }
      #expect(writes == .deadlineExceeded)
    }
  }

  @Test func whatCameBeforeTheConnectionWasLostIsRead() async throws {
    try await socket.withServer(handler: {
      $0.begin()
      for number in UInt8(0)..<10 { $0.send([number]) }
    }) { client, server in
      try await client.expand(0) { response in
        var messages = response.messages.makeAsyncIterator()
        let message5 = try await messages.next(isolation: nil)
        #expect(message5 == [0])
        await server.kill()
        for number in UInt8(1)..<10 {
          let message = try await messages.next(isolation: nil)
          #expect(message == [number])
        }
        let error = await #expect(throws: RPCError.self) { try await messages.next(isolation: nil) }
        #expect(error?.code == .unavailable)
      }
    }
  }

  /// A task that reads beside others may be cancelled for itself.
  @Test func aReadThatIsCancelledEndsAndTheCallGoesOn() async throws {
    let (streams, arrival) = AsyncStream.makeStream(of: ScriptedStream.self)
    try await socket.withServer(handler: { stream in
      stream.begin()
      arrival.yield(stream)
    }) { client, server in
      try await client.bidirectional { _ in
      } _: { response in
        for yields in 0..<20 {
          await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for try await _ in response.messages {} }
            for _ in 0..<yields { await Task.yield() }
            group.cancelAll()
            await #expect(throws: CancellationError.self) { try await group.next() }
          }
        }
        var iterator = streams.makeAsyncIterator()
        let stream = try #require(await iterator.next())
        await server.onLoop { _ in
          stream.send([1])
          stream.finish()
        }
        var received: [[UInt8]] = []
        for try await message in response.messages { received.append(message) }
        #expect(received == [[1]])
      }
    }
  }

  @Test func aWriteThatIsCancelledEndsAndTheCallGoesOn() async throws {
    let (streams, arrival) = AsyncStream.makeStream(of: ScriptedStream.self)
    try await socket.withServer(handler: { stream in
      stream.begin()
      stream.consumes = false
      stream.onEnd = { $0.finish() }
      arrival.yield(stream)
    }) { client, server in
      let message = [UInt8](repeating: 1, count: 20_000)
      try await client.bidirectional { writer in
        for yields in 0..<20 {
          await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { while true { try await writer.write(message) } }
            for _ in 0..<yields { await Task.yield() }
            group.cancelAll()
            await #expect(throws: CancellationError.self) { try await group.next() }
          }
        }
        var iterator = streams.makeAsyncIterator()
        let stream = try #require(await iterator.next())
        await server.onLoop { _ in stream.consumeAll() }
      } _: { response in
        for try await _ in response.messages {}
      }
    }
  }
}
