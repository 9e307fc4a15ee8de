import GRPCCore
import GRPCInProcessTransport
import KartTesting
import Synchronization
import Testing

@Suite struct DeadlineTests {
  private let clock = ManualClock()

  @Test(arguments: [false, true])
  func aCallThatIsLateIsCancelled(isUnary: Bool) async throws {
    let started = Latch<Void>()
    let stopped = Latch<Bool>()
    let wait: @Sendable (ServerContext) async throws -> Void = { context in
      started.close(with: ())
      try? await context.cancellation.cancelled
      stopped.close(with: context.cancellation.isCancelled)
      try Task.checkCancellation()
    }
    try await withTextCalls(over: InProcessTransport(clock: clock)) { router in
      router.onUnary { _, context in
        try await wait(context)
        return ServerResponse(message: "too late")
      }
      router.onStreaming { _, _ in
        StreamingServerResponse { writer in
          try await writer.write("in time")
          try await wait(try #require(ServerContext.current))
          return [:]
        }
      }
    } _: { client in
      let options = CallOptions.timeout(.seconds(3))
      let call = Task {
        isUnary
          ? try await client.unary("x", options: options)
          : try await client.clientStreaming(options: options) { _ in }
      }
      try await started.value
      await clock.sleepers()
      clock.advance(by: .seconds(3))
      #expect(try await call.value.failure?.code == .deadlineExceeded)
      #expect(try await stopped.value)
    }
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func aCallThatIsLateAlreadyIsNotMade(timeout: Duration) async throws {
    try await withTextCalls(over: InProcessTransport(clock: clock)) { router in
      router.onUnary { _, _ in
        Issue.record("The call was made.")
        return ServerResponse(message: "")
      }
    } _: { client in
      let response = try await client.unary("x", options: .timeout(timeout))
      #expect(response.failure?.code == .deadlineExceeded)
    }
  }

  @Test func aCallMadeInAHandlerInheritsTheDeadline() async throws {
    let inner = MethodDescriptor(service: TextMethods.service, method: "Inner")
    let client = Latch<TextClient>()
    let outerDeadline = Latch<ContinuousClock.Instant?>()
    let innerDeadlines = Mutex<[ContinuousClock.Instant?]>([])
    try await withTextCalls(over: InProcessTransport(clock: clock)) { router in
      router.onUnary { request, context in
        outerDeadline.close(with: context.deadline)
        for timeout in [nil, .seconds(60), .seconds(2)] as [Duration?] {
          _ = try await client.value.unary("x", to: inner, options: .timeout(timeout)).message
        }
        return ServerResponse(message: "")
      }
      router.registerUnaryHandler(
        forMethod: inner, deserializer: TextDeserializer(), serializer: TextSerializer()
      ) { _, context in
        innerDeadlines.withLock { $0.append(context.deadline) }
        return ServerResponse(message: "")
      }
    } _: {
      client.close(with: $0)
      _ = try await $0.unary("x", options: .timeout(.seconds(10))).message
    }
    let deadline = try #require(try await outerDeadline.value)
    #expect(
      innerDeadlines.withLock { $0 } == [deadline, deadline, deadline.advanced(by: .seconds(-8))])
  }

  @Test func theSoonerDeadlineCounts() {
    let now = ContinuousClock.now
    #expect(CallOptions.defaults.deadline(from: now) == nil)
    #expect(
      CallOptions.timeout(.seconds(5)).deadline(from: now) == now.advanced(by: .seconds(5)))
    let context = ServerContext(
      descriptor: TextMethods.unary, remotePeer: "", localPeer: "", cancellation: .init(),
      deadline: now.advanced(by: .seconds(3)))
    ServerContext.$current.withValue(context) {
      #expect(CallOptions.defaults.deadline(from: now) == now.advanced(by: .seconds(3)))
      #expect(
        CallOptions.timeout(.seconds(5)).deadline(from: now) == now.advanced(by: .seconds(3)))
      #expect(
        CallOptions.timeout(.seconds(1)).deadline(from: now) == now.advanced(by: .seconds(1)))
    }
  }
}
