import GRPCCore
import GRPCInProcessTransport
import KartAPI
import KartTesting
import Synchronization
import Testing

@testable import Gateway

@Suite struct TrackerSubscriptionTests {
  private let clock = ManualClock()

  /// Subscribes, and tells how that ended; the time stands still but for `advance`.
  private func subscribe(
    to tracker: ScriptedTracker, after number: UInt64? = nil,
    _ advance: @escaping @Sendable () async -> Void = {},
    receive: @escaping @Sendable (Swiftkart_Relay_V1_SubscribeResponse) async -> Bool = { _ in true
    }
  ) async throws -> String? {
    let transport = InProcessTransport(clock: ManualClock())
    let time = GatewayClock(now: { .now }, sleep: { [clock] in try await clock.sleep(for: $0) })
    return try await withGRPCServer(transport: transport.server, services: [tracker]) { server in
      defer { server.beginGracefulShutdown() }
      return try await withGRPCClient(transport: transport.client) { client in
        let subscription = TrackerSubscription(
          client: client, clock: time, silence: .milliseconds(1500))
        let moving = Task { await advance() }
        defer { moving.cancel() }
        do {
          try await subscription.events(of: "Race", after: number, receive)
          return nil
        } catch let error as RPCError {
          return "\(error)"
        }
      }
    }
  }

  @Test func aTrackerThatDoesNotAnswerAtOnceIsGivenUp() async throws {
    let end = try await subscribe(to: ScriptedTracker([])) { [clock] in
      await clock.sleepers()
      clock.advance(by: .milliseconds(500))
    }
    #expect(end == "UNAVAILABLE: The tracker has not answered for 0.5 seconds.")
  }

  @Test func aTrackerThatFallsSilentIsGivenUp() async throws {
    let answered = Latch<Void>()
    let end = try await subscribe(to: ScriptedTracker([.init(responses: [.live()])])) {
      [clock] in
      try? await answered.value
      for _ in 0..<6 {
        await clock.sleepers()
        clock.advance(by: .milliseconds(500))
      }
    } receive: { _ in
      answered.close(with: ())
      return true
    }
    #expect(end == "UNAVAILABLE: The tracker has been silent for 1.5 seconds.")
  }

  @Test func whatTheReceiverTakesDoesNotCount() async throws {
    let tracker = ScriptedTracker([.init(responses: [.live()])])
    let end = try await subscribe(
      to: tracker,
      receive: { [clock] _ in
        // Whatever time passes meanwhile.
        for _ in 0..<20 {
          await clock.sleepers()
          clock.advance(by: .milliseconds(500))
        }
        return false
      })
    #expect(end == nil)
  }

  @Test func theEndOfTheCallIsALoss() async throws {
    let lost = RPCError(code: .internalError, message: "as told")
    let end = try await subscribe(
      to: ScriptedTracker([.init(responses: [.live()], end: lost)]))
    #expect(end == "INTERNAL: as told")
  }

  @Test(
    arguments: [
      (nil, 0, false, 1024), (0, 0, true, 0), (7, 7, false, 0),
    ] as [(UInt64?, UInt64, Bool, UInt32)])
  func asksForWhatIsWanted(
    number: UInt64?, resumeAfter: UInt64, fromStart: Bool, backlog: UInt32
  ) async throws {
    let tracker = ScriptedTracker([.init(responses: [.live()])])
    _ = try await subscribe(to: tracker, after: number, receive: { _ in false })
    let request = try #require(tracker.requests.first)
    #expect(request.raceName == "Race")
    #expect(request.resumeAfter == resumeAfter)
    #expect(request.fromStart == fromStart)
    #expect(request.backlog == backlog)
  }
}
