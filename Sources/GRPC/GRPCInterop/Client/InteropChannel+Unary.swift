import GRPCCore

extension InteropChannel {
  func emptyUnary() async throws {
    try checkEqual(
      try await test.emptyCall(Grpc_Testing_Empty()), Grpc_Testing_Empty(), "The response")
  }

  /// Whether anything between here and the server keeps responses is its own affair: the second
  /// one has to be the same.
  func cacheableUnary() async throws {
    let request = Grpc_Testing_SimpleRequest.with {
      $0.responseSize = 16
      $0.payload = .with { $0.body = Array("\(ContinuousClock.now)".utf8) }
    }
    let metadata: Metadata = ["x-user-ip": "1.2.3.4"]
    let first = try await test.cacheableUnaryCall(request, metadata: metadata)
    let second = try await test.cacheableUnaryCall(request, metadata: metadata)
    try checkEqual(second, first, "The second response")
  }

  func largeUnary() async throws {
    try await largeUnary(requestSize: 271_828, responseSize: 314_159)
  }

  func largeUnary(requestSize: Int, responseSize: Int) async throws {
    let response = try await test.unaryCall(
      .with {
        $0.responseSize = Int32(responseSize)
        $0.payload = .zeros(requestSize)
      })
    try checkEqual(response.payload, .zeros(responseSize), "The response's payload")
  }

  func concurrentLargeUnary() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<1000 { group.addTask { try await largeUnary() } }
      try await group.waitForAll()
    }
  }
}
