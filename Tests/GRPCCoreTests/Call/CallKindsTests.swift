import GRPCCore
import KartTesting
import Testing

/// Calls of all four kinds that succeed.
@Suite struct CallKindsTests {
  @Test(arguments: [false, true])
  func unary(goesTheLongWay: Bool) async throws {
    let response = try await withTextCalls(
      serverInterceptors: goesTheLongWay ? [.apply(Onlooker(), to: .all)] : []
    ) { router in
      router.onUnary { request, context in
        #expect(ServerContext.current?.descriptor == TextMethods.unary)
        #expect(context.descriptor == TextMethods.unary)
        #expect(context.deadline == nil)
        return ServerResponse(
          message: "hello \(request.message)",
          metadata: ["initial": .string(request.metadata[stringValues: "k"].joined())],
          trailingMetadata: ["trailing-bin": [1, 2]])
      }
    } _: { client in
      try await client.unary("kart", metadata: ["k": "1", "k": "2"])
    }
    #expect(try response.message == "hello kart")
    #expect(response.metadata == ["initial": "12"])
    #expect(response.trailingMetadata == ["trailing-bin": [1, 2]])
  }

  @Test func clientStreaming() async throws {
    let response = try await withTextCalls { router in
      router.onStreaming { request, _ in
        var all = ""
        for try await message in request.messages { all += message }
        return StreamingServerResponse(
          single: ServerResponse(message: all, trailingMetadata: ["count": "\(all.count)"]))
      }
    } _: { client in
      try await client.clientStreaming { writer in
        try await writer.write("a")
        try await writer.write(contentsOf: ["b", "c"])
        try await writer.write(
          contentsOf: AsyncStream { continuation in
            continuation.yield("d")
            continuation.finish()
          })
      }
    }
    #expect(try response.message == "abcd")
    #expect(response.trailingMetadata == ["count": "4"])
  }

  @Test(arguments: [false, true])
  func serverStreaming(isIntercepted: Bool) async throws {
    let parts = try await withTextCalls(
      clientInterceptors: isIntercepted ? [.apply(Stamp("s"), to: .all)] : []
    ) { router in
      router.onStreaming { request, _ in
        let message = try await ServerRequest(stream: request).message
        return StreamingServerResponse(metadata: ["initial": "i"]) { writer in
          for letter in message { try await writer.write(String(letter)) }
          return ["trailing": "t"]
        }
      }
    } _: { client in
      try await client.serverStreaming("xyz") { response in
        var parts = response.metadata.map { "\($0.key)=\($0.value)" }
        for try await part in response.bodyParts {
          switch part {
          case .message(let message): parts.append(message)
          case .trailingMetadata(let metadata): parts += metadata.map { "\($0.key)=\($0.value)" }
          }
        }
        return parts
      }
    }
    let stamps = isIntercepted ? ["stamp=s"] : []
    #expect(parts == ["initial=i"] + stamps + ["x", "y", "z", "trailing=t"])
  }

  @Test func bothWaysAtOnce() async throws {
    let answered = Latch<Void>()
    let answers = try await withTextCalls { router in
      router.onStreaming { request, _ in
        StreamingServerResponse { writer in
          for try await message in request.messages { try await writer.write("re: \(message)") }
          return [:]
        }
      }
    } _: { client in
      try await client.bidirectionalStreaming { writer in
        try await writer.write("first")
        // The second request waits for the first response.
        try await answered.value
        try await writer.write("second")
      } onResponse: { response in
        var answers: [String] = []
        for try await message in response.messages {
          answers.append(message)
          answered.close(with: ())
        }
        return answers
      }
    }
    #expect(answers == ["re: first", "re: second"])
  }

  @Test func whatAHandlerReturnsReachesItsCaller() async throws {
    let length = try await withTextCalls { router in
      router.onUnary { request, _ in ServerResponse(message: request.message + "!") }
    } _: { client in
      try await client.unary(
        request: ClientRequest(message: "four"), descriptor: TextMethods.unary,
        serializer: TextSerializer(), deserializer: TextDeserializer(), options: .defaults
      ) { try $0.message.count }
    }
    #expect(length == 5)
  }
}
