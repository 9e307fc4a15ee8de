import GRPCCore
import Testing

/// Interceptors change everything of a call: its messages, its status and its trailing metadata.
@Suite struct ChangingInterceptorTests {
  /// Puts its mark behind every message, whichever way it goes.
  private struct Mark: ServerInterceptor, ClientInterceptor {
    let mark: String

    private func marked<Message>(_ message: Message) -> Message {
      (message as? String).flatMap { ($0 + mark) as? Message } ?? message
    }

    func intercept<Input: Sendable, Output: Sendable>(
      request: StreamingServerRequest<Input>, context: ServerContext,
      next:
        @Sendable (StreamingServerRequest<Input>, ServerContext) async throws
        -> StreamingServerResponse<Output>
    ) async throws -> StreamingServerResponse<Output> {
      var request = request
      request.messages = RPCAsyncSequence(wrapping: request.messages.map { self.marked($0) })
      var response = try await next(request, context)
      guard case .success(var contents) = response.accepted else { return response }
      let producer = contents.producer
      contents.producer = { writer in
        try await producer(RPCWriter(wrapping: Marking(writer: writer) { self.marked($0) }))
      }
      response.accepted = .success(contents)
      return response
    }

    func intercept<Input: Sendable, Output: Sendable>(
      request: StreamingClientRequest<Input>, context: ClientContext,
      next: (StreamingClientRequest<Input>, ClientContext) async throws
        -> StreamingClientResponse<Output>
    ) async throws -> StreamingClientResponse<Output> {
      var request = request
      let producer = request.producer
      request.producer = { writer in
        try await producer(RPCWriter(wrapping: Marking(writer: writer) { self.marked($0) }))
      }
      var response = try await next(request, context)
      guard case .success(var contents) = response.accepted else { return response }
      typealias Part = StreamingClientResponse<Output>.Contents.BodyPart
      contents.bodyParts = RPCAsyncSequence(
        wrapping: contents.bodyParts.map { part -> Part in
          guard case .message(let message) = part else { return part }
          return .message(self.marked(message))
        })
      response.accepted = .success(contents)
      return response
    }
  }

  private struct Marking<Element: Sendable>: RPCWriterProtocol {
    let writer: RPCWriter<Element>
    let transform: @Sendable (Element) -> Element

    func write(_ element: Element) async throws { try await writer.write(transform(element)) }

    func write(contentsOf elements: some Sequence<Element>) async throws {
      for element in elements { try await write(element) }
    }
  }

  /// Ends calls that succeeded with a failure, and others with another one.
  private struct Contrary: ServerInterceptor {
    func intercept<Input: Sendable, Output: Sendable>(
      request: StreamingServerRequest<Input>, context: ServerContext,
      next:
        @Sendable (StreamingServerRequest<Input>, ServerContext) async throws
        -> StreamingServerResponse<Output>
    ) async throws -> StreamingServerResponse<Output> {
      var response: StreamingServerResponse<Output>
      do {
        response = try await next(request, context)
      } catch let error as RPCError {
        response = StreamingServerResponse(error: error)
      }
      switch response.accepted {
      case .success(var contents):
        let producer = contents.producer
        contents.producer = { writer in
          var trailing = try await producer(writer)
          trailing.addString("late", forKey: "reason")
          throw RPCError(code: .dataLoss, message: "On second thoughts.", metadata: trailing)
        }
        response.accepted = .success(contents)
      case .failure(let error):
        response.accepted = .failure(
          RPCError(code: .notFound, message: "Was \(error.code).", metadata: ["kept": "yes"]))
      }
      return response
    }
  }

  @Test func messagesAreChangedBothWaysInOrder() async throws {
    let (unary, streaming) = try await withTextCalls(
      serverInterceptors: [.apply(Mark(mark: "3"), to: .all), .apply(Mark(mark: "4"), to: .all)],
      clientInterceptors: [.apply(Mark(mark: "1"), to: .all), .apply(Mark(mark: "2"), to: .all)]
    ) { router in
      router.onUnary { request, _ in ServerResponse(message: request.message + "|") }
      router.onStreaming { request, _ in
        StreamingServerResponse { writer in
          for try await message in request.messages { try await writer.write(message + "|") }
          return [:]
        }
      }
    } _: { client in
      (
        try await client.unary("x").message,
        try await client.bidirectionalStreaming { writer in
          try await writer.write("a")
          try await writer.write(contentsOf: ["b", "c"])
        } onResponse: { response in
          try await response.messages.reduce(into: [String]()) { $0.append($1) }
        }
      )
    }
    // In from the outermost, out to it again.
    #expect(unary == "x1234|4321")
    #expect(streaming == ["a1234|4321", "b1234|4321", "c1234|4321"])
  }

  @Test func aStatusIsChanged() async throws {
    let (success, failures) = try await withTextCalls(
      serverInterceptors: [.apply(Contrary(), to: .all)]
    ) { router in
      router.onUnary { request, _ in
        if request.message == "throw" { throw RPCError(code: .aborted, message: "") }
        if request.message == "refuse" {
          return ServerResponse(error: RPCError(code: .aborted, message: ""))
        }
        return ServerResponse(message: request.message, trailingMetadata: ["own": "1"])
      }
    } _: { client in
      (
        try await client.unary("x"),
        [try await client.unary("throw"), try await client.unary("refuse")]
      )
    }
    #expect(
      success.failure
        == RPCError(
          code: .dataLoss, message: "On second thoughts.",
          metadata: ["own": "1", "reason": "late"]))
    for failure in failures {
      #expect(
        failure.failure
          == RPCError(code: .notFound, message: "Was ABORTED.", metadata: ["kept": "yes"]))
    }
  }
}
