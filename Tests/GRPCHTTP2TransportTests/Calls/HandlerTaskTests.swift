import GRPCCore
import Testing

import class KartTesting.Latch

@testable import GRPCHTTP2Transport

/// What a handler sees of its task, which goes from one call to another.
@Suite(.timeLimit(.minutes(1))) struct HandlerTaskTests {
  @TaskLocal private static var bound = false

  @Test(arguments: Route.allCases)
  private func aCallSeesNothingOfTheOnesBefore(route: Route) async throws {
    let service = FilledService(unary: { request, context in
      if request.message == [1] {
        // Until the deadline, and so in a task that is cancelled.
        try await Self.$bound.withValue(true) { try await context.cancellation.cancelled }
      }
      let isStrange =
        Self.bound || Task.isCancelled || context.cancellation.isCancelled
        || context.deadline != nil || ServerContext.current?.deadline != nil
      return ServerResponse(message: [isStrange ? 1 : 0])
    })
    try await EchoCalls(route: route, services: [service]).run { (client, _) async throws in
      var options = CallOptions.defaults
      options.timeout = .milliseconds(5)
      for _ in 0..<3 {
        await #expect(throws: RPCError.self) { try await client.echo([1], options: options) }
        for _ in 0..<3 { #expect(try await client.echo([0]) == [0]) }
      }
    }
  }

  @Test func aHandlerThatCancelsBeforeItWaitsIsCancelled() async throws {
    let ended = Latch<Bool>()
    let service = FilledService(unary: { _, context in
      context.cancellation.cancel()
      do {
        try await Latch<Void>().value
      } catch {
        ended.close(with: Task.isCancelled)
      }
      return ServerResponse(message: [])
    })
    try await EchoCalls(services: [service]).run { (client, _) async throws in
      await #expect(throws: RPCError.self) { try await client.echo([1]) }
      #expect(try await ended.value)
    }
  }

  @Test func whatUnaryHandlersLeaveRunningKeepsItsContext() async throws {
    let (goOn, seen) = (Latch<Void>(), Latch<[ContinuousClock.Instant?]>())
    let service = FilledService(unary: { request, context in
      if request.message == [1] {
        Task {
          try await goOn.value
          seen.close(with: [ServerContext.current?.deadline, context.deadline])
        }
      }
      return ServerResponse(message: [])
    })
    try await EchoCalls(services: [service]).run { (client, _) async throws in
      var options = CallOptions.defaults
      options.timeout = .seconds(100)
      _ = try await client.echo([1], options: options)
      for _ in 0..<3 { _ = try await client.echo([0]) }
      goOn.close(with: ())
      let deadlines = try await seen.value
      #expect(deadlines[0] != nil && deadlines[0] == deadlines[1])
    }
  }

  /// Runs a streaming handler's reading in a child of its task, and answers how that ended.
  private func reading(
    _ read: @escaping @Sendable (RPCAsyncSequence<[UInt8], any Error>) async throws -> UInt8
  ) async throws -> [UInt8] {
    let service = FilledService(bidirectional: { request, _ in
      StreamingServerResponse { writer in
        try await writer.write([try await read(request.messages)])
        return [:]
      }
    })
    let answered = Latch<Void>()
    return try await EchoCalls(services: [service]).run { (client, _) async throws in
      try await client.bidirectional { writer in
        try await writer.write([7])
        try await answered.value
      } _: { response in
        defer { answered.close(with: ()) }
        return try await response.messages.first { _ in true } ?? []
      }
    }
  }

  @Test func aChildOfTheHandlersTaskReads() async throws {
    let answer = try await reading { messages in
      async let first = messages.first { _ in true }
      return try await first?.first ?? 0
    }
    #expect(answer == [7])
  }

  @Test func aChildThatIsCancelledReadsNoLonger() async throws {
    let answer = try await reading { messages in
      try await withThrowingTaskGroup(of: UInt8.self) { group in
        group.addTask {
          do {
            for try await _ in messages {}
            return 1
          } catch is CancellationError {
            return 2
          }
        }
        group.cancelAll()
        return try await group.next() ?? 0
      }
    }
    #expect(answer == [2])
  }

  @Test func aTaskThatCancelsItselfReadsNoLonger() async throws {
    let answer = try await reading { messages in
      withUnsafeCurrentTask { $0?.cancel() }
      do {
        for try await _ in messages {}
        return 1
      } catch is CancellationError {
        return 2
      }
    }
    #expect(answer == [2])
  }
}
