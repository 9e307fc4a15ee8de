import GRPCCore
import KartTesting
import Synchronization
import Testing

@Suite struct CancellationTests {
  @Test(arguments: [false, true])
  func aCancelledTaskCancelsItsCall(isUnary: Bool) async throws {
    let started = Latch<Void>()
    let told = Latch<Bool>()
    let wait: @Sendable () async throws -> Void = {
      try await withRPCCancellationHandler {
        started.close(with: ())
        // Only the cancellation of the handler's own task ends this.
        try await Latch<Void>().value
      } onCancelRPC: {
        told.close(with: ServerContext.current?.cancellation.isCancelled ?? true)
      }
    }
    try await withTextCalls { router in
      router.onUnary { _, _ in
        try await wait()
        return ServerResponse(message: "")
      }
      router.onStreaming { _, _ in
        StreamingServerResponse { _ in
          try await wait()
          return [:]
        }
      }
    } _: { client in
      let call = Task {
        isUnary
          ? try await client.unary("x")
          : try await client.clientStreaming { _ in try await Latch<Void>().value }
      }
      try await started.value
      call.cancel()
      #expect(try await call.value.failure?.code == .cancelled)
      #expect(try await told.value)
    }
  }

  @Test func aCallOfACancelledTaskIsCancelled() async throws {
    try await withTextCalls { router in
      router.onUnary { _, context in
        try await context.cancellation.cancelled
        return ServerResponse(message: "")
      }
    } _: { client in
      let call = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await client.unary("x")
      }
      let response = try await call.value
      #expect(response.failure?.code == .cancelled)
    }
  }

  @Test func aHandlerMayCancelItsCall() async throws {
    let response = try await withTextCalls { router in
      router.onUnary { _, context in
        context.cancellation.cancel()
        #expect(context.cancellation.isCancelled)
        #expect(Task.isCancelled)
        return ServerResponse(message: "")
      }
    } _: { client in
      try await client.unary("x")
    }
    #expect(response.failure?.code == .cancelled)
  }

  @Test func aResponseThatIsNotReadToItsEndCancelsTheCall() async throws {
    let ended = Latch<Bool>()
    let first = try await withTextCalls { router in
      router.onStreaming { _, context in
        StreamingServerResponse { writer in
          defer { ended.close(with: context.cancellation.isCancelled) }
          while true { try await writer.write("more") }
        }
      }
    } _: { client in
      try await client.bidirectionalStreaming { writer in
        while true { try await writer.write("more") }
      } onResponse: { response in
        try await response.messages.first { _ in true }
      }
    }
    #expect(first == "more")
    #expect(try await ended.value)
  }

  @Test func aReaderThatIsCancelledAloneStopsReading() async throws {
    let messages = try await withTextCalls { router in
      router.onStreaming { request, _ in
        StreamingServerResponse { writer in
          try await writer.write("one")
          for try await message in request.messages { try await writer.write(message) }
          return [:]
        }
      }
    } _: { client in
      try await client.bidirectionalStreaming { _ in
        try await Latch<Void>().value
      } onResponse: { response in
        var iterator = response.messages.makeAsyncIterator()
        let first = try await iterator.next()
        let reader = Task { [iterator] in
          var iterator = iterator
          return try await iterator.next()
        }
        reader.cancel()
        let error = await #expect(throws: RPCError.self) { try await reader.value }
        return [first, error?.code.description]
      }
    }
    #expect(messages == ["one", "CANCELLED"])
  }
}
