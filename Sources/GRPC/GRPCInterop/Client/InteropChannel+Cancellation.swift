import GRPCCore

extension InteropChannel {
  func cancelAfterBegin() async throws {
    let (begins, begin) = AsyncStream.makeStream(of: Void.self)
    let call = Task {
      try await test.streamingInputCall { _ in
        begin.yield()
        // Until the call is cancelled.
        try await Task.sleep(for: .seconds(3600))
      }
    }
    for await _ in begins.prefix(1) {}
    call.cancel()
    try await expectFailure(.cancelled) { _ = try await call.value }
  }

  func cancelAfterFirstResponse() async throws {
    let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    let call = Task {
      try await test.fullDuplexCall { writer in
        try await writer.write(Self.request(response: 31_415, payload: 27_182))
        try await Task.sleep(for: .seconds(3600))
      } onResponse: { response in
        for try await _ in response.messages { arrival.yield() }
      }
    }
    for await _ in arrivals.prefix(1) {}
    call.cancel()
    try await expectFailure(.cancelled) { try await call.value }
  }

  func timeoutOnSleepingServer() async throws {
    var options = CallOptions.defaults
    options.timeout = .milliseconds(1)
    try await expectFailure(.deadlineExceeded) {
      try await test.fullDuplexCall(options: options) { writer in
        try await writer.write(.with { $0.payload = .zeros(27_182) })
        try await Task.sleep(for: .seconds(3600))
      } onResponse: { response in
        for try await _ in response.messages {}
      }
    }
  }
}
