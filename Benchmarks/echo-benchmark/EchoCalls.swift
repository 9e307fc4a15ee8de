import GRPCCore

/// Calls of the echo service, one after the other or one message after the other. Each function
/// tells how many microseconds each of them took.
struct EchoCalls<Transport: ClientTransport> {
  let client: GRPCClient<Transport>
  /// How many calls or messages.
  let count: Int
  /// A message's size, in bytes.
  let payload: Int

  enum Case: String {
    case unary
    case pingPong = "ping-pong"
    case serverStream = "server-stream"
    case clientStream = "client-stream"
  }

  func run(_ what: Case) async throws -> [Float] {
    switch what {
    case .unary: try await unary()
    case .pingPong: try await pingPong()
    case .serverStream: try await serverStream()
    case .clientStream: try await clientStream()
    }
  }

  private func unary() async throws -> [Float] {
    let message = Echo.message(size: payload)
    var stopwatch = Stopwatch(laps: count)
    for _ in 0..<count {
      try await client.unary(
        request: ClientRequest(message: message), descriptor: Echo.unary, serializer: Echo.coder,
        deserializer: Echo.coder, options: .defaults
      ) { _ = try $0.message }
      stopwatch.lap()
    }
    return stopwatch.laps
  }

  /// How many heap allocations the server's thread has made.
  func allocations() async throws -> Int {
    try await client.unary(
      request: ClientRequest(message: Echo.message(size: payload)), descriptor: Echo.allocations,
      serializer: Echo.coder, deserializer: Echo.coder, options: .defaults
    ) { Int(String(decoding: try $0.message, as: UTF8.self)) ?? 0 }
  }

  /// Sends each message when the one before has come back.
  private func pingPong() async throws -> [Float] {
    let message = Echo.message(size: payload)
    let (writers, handOver) = AsyncStream.makeStream(of: RPCWriter<[UInt8]>.self)
    let (ends, end) = AsyncStream.makeStream(of: Never.self)
    return try await client.bidirectionalStreaming(
      request: StreamingClientRequest { writer in
        // The response begins with the first message's return.
        try await writer.write(message)
        handOver.yield(writer)
        for await _ in ends {}
      }, descriptor: Echo.bidirectional, serializer: Echo.coder, deserializer: Echo.coder,
      options: .defaults
    ) { response in
      defer { end.finish() }
      var messages = response.messages.makeAsyncIterator()
      _ = try await messages.next()
      var waiting = writers.makeAsyncIterator()
      guard let writer = await waiting.next() else { throw CancellationError() }
      var stopwatch = Stopwatch(laps: count)
      for _ in 1..<count {
        try await writer.write(message)
        _ = try await messages.next()
        stopwatch.lap()
      }
      end.finish()
      while try await messages.next() != nil {}
      return stopwatch.laps
    }
  }

  private func serverStream() async throws -> [Float] {
    try await client.serverStreaming(
      request: ClientRequest(message: Echo.message(size: payload, count: count)),
      descriptor: Echo.serverStream, serializer: Echo.coder, deserializer: Echo.coder,
      options: .defaults
    ) { response in
      var stopwatch = Stopwatch(laps: count)
      for try await _ in response.messages { stopwatch.lap() }
      return stopwatch.laps
    }
  }

  private func clientStream() async throws -> [Float] {
    let message = Echo.message(size: payload)
    let (laps, report) = AsyncStream.makeStream(of: [Float].self)
    try await client.clientStreaming(
      request: StreamingClientRequest { writer in
        var stopwatch = Stopwatch(laps: count)
        for _ in 0..<count {
          try await writer.write(message)
          stopwatch.lap()
        }
        report.yield(stopwatch.laps)
      }, descriptor: Echo.clientStream, serializer: Echo.coder, deserializer: Echo.coder,
      options: .defaults
    ) { _ = try $0.message }
    report.finish()
    return await laps.reduce(into: []) { $0 += $1 }
  }
}
