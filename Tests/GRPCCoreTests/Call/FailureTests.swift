import GRPCCore
import GRPCInProcessTransport
import Testing

/// What a caller learns of a call that fails.
@Suite(.timeLimit(.minutes(1))) struct FailureTests {
  struct Unforeseen: Error {}

  struct NoSuchRace: Error, RPCErrorConvertible {
    var rpcErrorCode: RPCError.Code { .notFound }
    var rpcErrorMessage: String { "There is no such race." }
    var rpcErrorMetadata: Metadata { ["race": "Duck Pond Dash"] }
  }

  /// What a handler throws, and what its caller sees of it.
  static let failures: [(thrown: any Error, seen: RPCError)] = [
    (
      RPCError(code: .aborted, message: "Try again.", metadata: ["k": "v"]),
      RPCError(code: .aborted, message: "Try again.", metadata: ["k": "v"])
    ),
    (
      NoSuchRace(),
      RPCError(
        code: .notFound, message: "There is no such race.", metadata: ["race": "Duck Pond Dash"])
    ),
    (CancellationError(), RPCError(code: .cancelled, message: "The call was cancelled.")),
    (Unforeseen(), RPCError(code: .unknown, message: "The handler failed.")),
  ]

  @Test(arguments: failures.indices, [false, true])
  func aHandlersErrorBecomesAStatus(index: Int, goesTheLongWay: Bool) async throws {
    let (thrown, seen) = Self.failures[index]
    let response = try await withTextCalls(
      serverInterceptors: goesTheLongWay ? [.apply(Onlooker(), to: .all)] : []
    ) { router in
      router.onUnary { _, _ in throw thrown }
    } _: { client in
      try await client.unary("x")
    }
    #expect(throws: seen) { try response.message }
    #expect(response.trailingMetadata == seen.metadata)
    // The call was refused at once, so there is nothing but the status.
    guard case .failure(seen) = response.accepted else {
      Issue.record("accepted: \(response.accepted)")
      return
    }
  }

  @Test(arguments: failures.indices)
  func aFailureAfterMessagesComesBehindThem(index: Int) async throws {
    let (thrown, seen) = Self.failures[index]
    let (messages, error) = try await withTextCalls { router in
      router.onStreaming { _, _ in
        StreamingServerResponse(metadata: ["initial": "i"]) { writer in
          try await writer.write("one")
          throw thrown
        }
      }
    } _: { client in
      try await client.serverStreaming("x") { response in
        #expect(response.metadata == ["initial": "i"])
        var messages: [String] = []
        do {
          for try await message in response.messages { messages.append(message) }
          return (messages, nil as RPCError?)
        } catch {
          return (messages, error as? RPCError)
        }
      }
    }
    #expect(messages == ["one"])
    #expect(error == seen)
  }

  @Test func aResponseMayBeARefusal() async throws {
    let refusal = RPCError(code: .permissionDenied, message: "No.")
    let responses = try await withTextCalls { router in
      router.onUnary { _, _ in ServerResponse(error: refusal) }
      router.onStreaming { _, _ in StreamingServerResponse(error: refusal) }
    } _: { client in
      [
        try await client.unary("x"),
        try await client.clientStreaming { _ in },
      ]
    }
    for response in responses {
      #expect(throws: refusal) { try response.message }
    }
  }

  @Test func anUnknownMethodIsUnimplemented() async throws {
    let method = MethodDescriptor(service: TextMethods.service, method: "Other")
    let response = try await withTextCalls { _ in
    } _: { client in
      try await client.unary("x", to: method)
    }
    #expect(response.failure?.code == .unimplemented)
    #expect(response.failure?.message.contains("test.Texts/Other") == true)
  }

  // MARK: Messages that can't be coded

  @Test(arguments: [false, true])
  func anUnreadableRequestIsInternal(goesTheLongWay: Bool) async throws {
    let response = try await withTextCalls(
      serverInterceptors: goesTheLongWay ? [.apply(Onlooker(), to: .all)] : []
    ) { router in
      router.onUnary { request, _ in ServerResponse(message: request.message) }
    } _: { client in
      try await client.unary("unreadable")
    }
    #expect(response.failure?.code == .internalError)
  }

  @Test(arguments: ["unreadable", "secret"])
  func aResponseThatCannotBeCodedIsInternal(message: String) async throws {
    let (unary, streaming) = try await withTextCalls { router in
      router.onUnary { _, _ in ServerResponse(message: message) }
      router.onStreaming { _, _ in
        StreamingServerResponse(single: ServerResponse(message: message))
      }
    } _: { client in
      (try await client.unary("x"), try await client.clientStreaming { _ in })
    }
    #expect(unary.failure?.code == .internalError)
    #expect(streaming.failure?.code == .internalError)
  }

  @Test(arguments: [("secret", RPCError.Code.internalError), ("forbidden", .permissionDenied)])
  func aRequestThatCannotBeWrittenFailsItsCall(message: String, code: RPCError.Code) async throws {
    let (unary, streaming, both) = try await withTextCalls { router in
      router.onUnary { request, _ in ServerResponse(message: request.message) }
      router.onStreaming { request, _ in
        let message = try await ServerRequest(stream: request).message
        return StreamingServerResponse(single: ServerResponse(message: message))
      }
    } _: { client in
      (
        try await client.unary(message),
        try await client.serverStreaming(message) { await ClientResponse(stream: $0) },
        try await client.clientStreaming { try await $0.write(message) }
      )
    }
    #expect(unary.failure?.code == code)
    #expect(streaming.failure?.code == code)
    #expect(both.failure?.code == code)
  }

  // MARK: The number of messages

  @Test(arguments: [0, 2], [false, true])
  func aUnaryMethodWantsOneRequest(count: Int, goesTheLongWay: Bool) async throws {
    let response = try await withTextCalls(
      serverInterceptors: goesTheLongWay ? [.apply(Onlooker(), to: .all)] : []
    ) { router in
      router.onUnary { request, _ in ServerResponse(message: request.message) }
    } _: { client in
      try await client.clientStreaming(to: TextMethods.unary) { writer in
        for _ in 0..<count { try await writer.write("x") }
      }
    }
    #expect(response.failure?.code == .unimplemented)
  }

  @Test(arguments: [0, 2])
  func aServerStreamingMethodWantsOneRequest(count: Int) async throws {
    let error = try await withTextCalls { router in
      router.onStreaming { request, _ in
        let request = try await ServerRequest(stream: request)
        return StreamingServerResponse { writer in
          try await writer.write(request.message)
          return [:]
        }
      }
    } _: { client in
      try await client.bidirectionalStreaming { writer in
        for _ in 0..<count { try await writer.write("x") }
      } onResponse: { response in
        await #expect(throws: RPCError.self) { for try await _ in response.messages {} }
      }
    }
    #expect(error?.code == .unimplemented)
  }

  @Test(arguments: [0, 2])
  func aUnaryCallWantsOneResponse(count: Int) async throws {
    let (unary, streaming) = try await withTextCalls { router in
      router.onStreaming { _, _ in
        StreamingServerResponse { writer in
          for _ in 0..<count { try await writer.write("x") }
          return [:]
        }
      }
    } _: { client in
      (
        try await client.unary("x", to: TextMethods.streaming),
        try await client.clientStreaming { _ in }
      )
    }
    #expect(unary.failure?.code == .unimplemented)
    #expect(streaming.failure?.code == .unimplemented)
  }
}
