import Dispatch
import KartTesting
import Synchronization
import Testing

@testable import GRPCCore

@Suite(.timeLimit(.minutes(1))) struct ConcurrencyLimitTests {
  /// ``TextMethods``, whose calls wait until they are let go.
  private struct WaitingTexts: RegistrableRPCService {
    let begun = Latch<Void>()
    let gate = Latch<Void>()

    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
      router.onUnary { [begun, gate] request, _ in
        if request.message == "wait" {
          begun.close(with: ())
          try await gate.value
        }
        return ServerResponse(message: request.message)
      }
      router.onStreaming { [begun, gate] _, _ in
        StreamingServerResponse { _ in
          begun.close(with: ())
          try await gate.value
          return [:]
        }
      }
    }
  }

  private final class Overloads: Sendable {
    let changes = Mutex<[Bool]>([])
  }

  // A unary call that an interceptor sees takes another way through the server.
  @Test(arguments: [false, true])
  func unaryCallsBeyondTheLimitAreSentAway(isSeen: Bool) async throws {
    let texts = WaitingTexts()
    let overloads = Overloads()
    let limit = ConcurrencyLimit(
      unaryCalls: 1, streamingCalls: 0, pushback: .milliseconds(1500)
    ) { change in overloads.changes.withLock { $0.append(change) } }
    try await withTextCalls(
      serverInterceptors: isSeen ? [.apply(Onlooker(), to: .all)] : []
    ) { router in
      texts.limited(by: limit).registerMethods(with: &router)
    } _: { client in
      async let first = client.unary("wait")
      try await texts.begun.value
      for _ in 0..<2 {
        let refused = try await client.unary("x")
        #expect(refused.failure?.code == .resourceExhausted)
        #expect(
          Array(refused.trailingMetadata[stringValues: "grpc-retry-pushback-ms"]) == ["1500"])
      }
      #expect(overloads.changes.withLock { $0 } == [true])
      texts.gate.close(with: ())
      let responses = [try await first.message, try await client.unary("y").message]
      #expect(responses == ["wait", "y"])
    }
    #expect(overloads.changes.withLock { $0 } == [true, false])
    #expect(limit.refusedCalls == 2)
  }

  /// Whoever finds the overload may be held up before he has told of it.
  @Test func whatIsToldLastIsTrue() async throws {
    let overloads = Overloads()
    let (telling, goOn) = (Latch<Void>(), DispatchSemaphore(value: 0))
    let limit = ConcurrencyLimit(unaryCalls: 1, streamingCalls: 0, pushback: .zero) { change in
      if change {
        telling.close(with: ())
        goOn.wait()
      }
      overloads.changes.withLock { $0.append(change) }
    }
    #expect(limit.enter(isUnary: true))
    let (refused, left) = (Latch<Void>(), Latch<Void>())
    DispatchQueue.global().async {
      #expect(!limit.enter(isUnary: true))
      refused.close(with: ())
    }
    try await telling.value
    let leaving = Latch<Void>()
    DispatchQueue.global().async {
      leaving.close(with: ())
      limit.leave(isUnary: true)
      left.close(with: ())
    }
    try await leaving.value
    goOn.signal()
    try await refused.value
    try await left.value
    #expect(overloads.changes.withLock { $0 } == [true, false])
  }

  /// No call that leaves can tell.
  @Test func anOverloadThatIsOverOnceItIsToldEnds() {
    let overloads = Overloads()
    let limit = ConcurrencyLimit(unaryCalls: 1, streamingCalls: 0, pushback: .zero) { change in
      overloads.changes.withLock { $0.append(change) }
    }
    // Of streams there is always room, since none is let in.
    #expect(!limit.enter(isUnary: false))
    #expect(overloads.changes.withLock { $0 } == [true, false])
  }

  @Test func streamsAreCountedForThemselves() async throws {
    let texts = WaitingTexts()
    let limit = ConcurrencyLimit(unaryCalls: 1, streamingCalls: 1, pushback: .zero)
    try await withTextCalls { router in
      texts.limited(by: limit).registerMethods(with: &router)
    } _: { client in
      async let first = client.serverStreaming("wait") { response in
        try await response.messages.reduce(0) { count, _ in count + 1 }
      }
      try await texts.begun.value
      let code = try await client.serverStreaming("x") { response -> RPCError.Code? in
        switch response.accepted {
        case .success: return nil
        case .failure(let error): return error.code
        }
      }
      #expect(code == .resourceExhausted)
      let response = try await client.unary("x")
      #expect(try response.message == "x")
      texts.gate.close(with: ())
      let count = try await first
      #expect(count == 0)
    }
    #expect(limit.refusedCalls == 1)
  }

  @Test func exemptServicesAreNotCounted() async throws {
    let limit = ConcurrencyLimit(unaryCalls: 0, streamingCalls: 0, pushback: .zero)
    try await withTextCalls { router in
      WaitingTexts().limited(by: limit, exempt: [TextMethods.service])
        .registerMethods(with: &router)
    } _: { client in
      let response = try await client.unary("x")
      #expect(try response.message == "x")
    }
    #expect(limit.refusedCalls == 0)
  }
}
