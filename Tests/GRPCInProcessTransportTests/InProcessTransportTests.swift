import GRPCCore
import GRPCInProcessTransport
import KartTesting
import Synchronization
import Testing

@Suite struct InProcessTransportTests {
  private let method = MethodDescriptor(fullyQualifiedService: "test.Bytes", method: "Call")

  /// Answers every call with its parts, and calls it.
  private func call<Result: Sendable>(
    options: CallOptions = .defaults,
    _ body:
      @Sendable (
        RPCStream<InProcessTransport.Client.Inbound, InProcessTransport.Client.Outbound>,
        ClientContext
      ) async throws -> Result
  ) async throws -> Result {
    let transport = InProcessTransport()
    return try await withThrowingDiscardingTaskGroup { group in
      // A call may be over before an end has opened, which then has nothing left to do.
      group.addTask {
        try? await transport.server.listen { stream, context in
          do {
            for try await part in stream.inbound {
              switch part {
              case .metadata(let metadata): try await stream.outbound.write(.metadata(metadata))
              case .message(let message): try await stream.outbound.write(.message(message))
              }
            }
            try await stream.outbound.write(
              .status(
                Status(code: .aborted, message: context.remotePeer),
                ["local": .string(context.localPeer)]))
          } catch {
          }
          await stream.outbound.finish()
        }
      }
      group.addTask { try? await transport.client.connect() }
      defer {
        transport.client.beginGracefulShutdown()
        transport.server.beginGracefulShutdown()
      }
      return try await transport.client.withStream(descriptor: method, options: options, body)
    }
  }

  @Test func partsArriveAsTheyWereSent() async throws {
    let parts = try await call { stream, context in
      #expect(context.remotePeer == "in-process:server")
      #expect(context.localPeer == "in-process:client")
      try await stream.outbound.write(.metadata(["Key": "value", "k-bin": [0, 255]]))
      try await stream.outbound.write(contentsOf: [.message([1]), .message([])])
      await stream.outbound.finish()
      var parts: [RPCResponsePart<[UInt8]>] = []
      for try await part in stream.inbound { parts.append(part) }
      return parts
    }
    #expect(
      parts == [
        .metadata(["Key": "value", "k-bin": [0, 255]]), .message([1]), .message([]),
        .status(
          Status(code: .aborted, message: "in-process:client"), ["local": "in-process:server"]),
      ])
  }

  @Test(arguments: [(true, 4, false), (true, 5, true), (false, 4, false), (false, 5, true)])
  func messagesAreLimited(isRequest: Bool, size: Int, isTooLarge: Bool) async throws {
    var options = CallOptions.defaults
    if isRequest {
      options.maxRequestMessageBytes = 4
    } else {
      options.maxResponseMessageBytes = 4
    }
    let code = try await call(options: options) { stream, _ in
      do {
        try await stream.outbound.write(.message(Array(repeating: 0, count: size)))
        await stream.outbound.finish()
        for try await _ in stream.inbound {}
        return nil as RPCError.Code?
      } catch {
        return (error as? RPCError)?.code
      }
    }
    #expect(code == (isTooLarge ? .resourceExhausted : nil))
  }

  @Test func aRequestThatBreaksOffEndsTheCall() async throws {
    let failure = RPCError(code: .dataLoss, message: "The disk is gone.")
    try await call { stream, _ in
      try await stream.outbound.write(.metadata([:]))
      await stream.outbound.finish(throwing: failure)
      await #expect(throws: failure) { for try await _ in stream.inbound {} }
    }
  }

  @Test func whatAnEndDoesNotServeIsUnavailable() async throws {
    let transport = InProcessTransport()
    transport.server.beginGracefulShutdown()
    let error = await #expect(throws: RPCError.self) {
      try await transport.client.withStream(descriptor: method, options: .defaults) { _, _ in }
    }
    #expect(error?.code == .unavailable)
  }

  /// Its handlers may take their time to end, and no call waits for that.
  @Test(.timeLimit(.minutes(1))) func aServerWhoseTaskIsCancelledTakesNoCalls() async throws {
    let transport = InProcessTransport()
    let isServed = Latch<Void>()
    let mayEnd = Latch<Void>()
    let serving = Task {
      try await transport.server.listen { _, _ in
        isServed.close(with: ())
        _ = await Task { try await mayEnd.value }.result
      }
    }
    let connection = Task { try await transport.client.connect() }
    let call = Task {
      try await transport.client.withStream(descriptor: method, options: .defaults) { stream, _ in
        for try await _ in stream.inbound {}
      }
    }
    try await isServed.value
    serving.cancel()
    let error = await #expect(throws: RPCError.self) {
      try await transport.client.withStream(descriptor: method, options: .defaults) { stream, _ in
        for try await _ in stream.inbound {}
      }
    }
    #expect(error?.code == .unavailable)
    mayEnd.close(with: ())
    try await serving.value
    call.cancel()
    _ = await call.result
    transport.client.beginGracefulShutdown()
    try await connection.value
  }

  /// What is cancelled after its deadline is late, though the timer has not said so yet: at the call's end and at
  /// that of a task within it.
  @Test(arguments: [true, false], [true, false])
  func aCallThatIsCancelledLateIsLate(cancelsCall: Bool, isLate: Bool) async throws {
    let clock = SleepyClock()
    let transport = InProcessTransport(clock: clock)
    var options = CallOptions.defaults
    options.timeout = .seconds(2)
    let isReading = Latch<Void>()
    let serverCode = Latch<RPCError.Code?>()
    let expected: RPCError.Code = isLate ? .deadlineExceeded : .cancelled
    try await withThrowingDiscardingTaskGroup { group in
      group.addTask {
        try await transport.server.listen { stream, _ in
          do {
            for try await _ in stream.inbound { isReading.close(with: ()) }
          } catch {
            serverCode.close(with: (error as? RPCError)?.code)
          }
        }
      }
      group.addTask { try? await transport.client.connect() }
      let call = Task { [options] in
        try await transport.client.withStream(descriptor: method, options: options) { stream, _ in
          try await stream.outbound.write(.metadata([:]))
          let read = Task { for try await _ in stream.inbound {} }
          try await isReading.value
          clock.advance(by: .seconds(isLate ? 3 : 1))
          if cancelsCall {
            withUnsafeCurrentTask { $0?.cancel() }
          } else {
            read.cancel()
          }
          try await read.value
        }
      }
      let error = await #expect(throws: RPCError.self) { try await call.value }
      let codes = [error?.code, try await serverCode.value]
      #expect(codes == [expected, expected])
      transport.client.beginGracefulShutdown()
      transport.server.beginGracefulShutdown()
    }
  }

  /// A clock that wakes nobody.
  private final class SleepyClock: Clock {
    private let instant = Mutex(ContinuousClock.now)

    var now: ContinuousClock.Instant { instant.withLock { $0 } }
    let minimumResolution = Swift.Duration.zero

    func advance(by duration: Swift.Duration) {
      instant.withLock { $0 += duration }
    }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Swift.Duration?) async throws {
      try await Latch<Void>().value
    }
  }
}
