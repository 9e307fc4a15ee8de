import GRPCCore

extension InteropChannel {
  typealias OutputRequest = Grpc_Testing_StreamingOutputCallRequest

  func clientStreaming() async throws {
    let response = try await test.streamingInputCall { writer in
      for size in [27_182, 8, 1_828, 45_904] {
        try await writer.write(.with { $0.payload = .zeros(size) })
      }
    }
    try checkEqual(response.aggregatedPayloadSize, 74_922, "The size of the payloads")
  }

  func serverStreaming() async throws {
    let sizes = [31_415, 9, 2_653, 58_979]
    let request = OutputRequest.with {
      $0.responseParameters = sizes.map { size in .with { $0.size = Int32(size) } }
    }
    try await test.streamingOutputCall(request) { response in
      var messages = response.messages.makeAsyncIterator()
      for size in sizes {
        let message = try await messages.next()
        try checkEqual(message?.payload, .zeros(size), "The response's payload")
      }
      try check(try await messages.next() == nil, "There are too many responses.")
    }
  }

  /// Sends each request when the response to the one before has come.
  func pingPong() async throws {
    let sizes = [(31_415, 27_182), (9, 8), (2_653, 1_828), (58_979, 45_904)]
    // A server may send no metadata before it has a response, so the first request waits for nothing.
    let (answers, answer) = AsyncStream.makeStream(of: Void.self)
    try await test.fullDuplexCall { writer in
      var answers = answers.makeAsyncIterator()
      for (response, request) in sizes {
        try await writer.write(Self.request(response: response, payload: request))
        await answers.next()
      }
    } onResponse: { response in
      var messages = response.messages.makeAsyncIterator()
      for (size, _) in sizes {
        let message = try await messages.next()
        try checkEqual(message?.payload, .zeros(size), "The response's payload")
        answer.yield()
      }
      try check(try await messages.next() == nil, "There are too many responses.")
    }
  }

  func emptyStream() async throws {
    try await test.fullDuplexCall { _ in
    } onResponse: { response in
      for try await _ in response.messages { throw InteropFailure("There is a response.") }
    }
  }

  static func request(response: Int, payload: Int) -> OutputRequest {
    .with {
      $0.responseParameters = [.with { $0.size = Int32(response) }]
      $0.payload = .zeros(payload)
    }
  }
}
