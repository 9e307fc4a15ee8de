import EventLoop
import GRPCCore
import GRPCInProcessTransport
import KartAPI
import KartProcess
import KartTesting
import Testing

@testable import Gateway

@Suite struct RelaysTests {
  private func follower() -> Follower { Follower(types: [.standings], resumeAfter: 0) }

  @Test func racesAreRelayedUpToALimitAndThoseWithoutFollowersMakeRoom() async throws {
    let transport = InProcessTransport(clock: ManualClock())
    let clock = GatewayClock(now: { .now }, sleep: { _ in try await Latch<Void>().value })
    try await withGRPCServer(
      transport: transport.server, services: [ScriptedTracker([.init(responses: [.live()])])]
    ) { server in
      defer { server.beginGracefulShutdown() }
      try await withGRPCClient(transport: transport.client) { client in
        let relays = Relays(
          subscription: TrackerSubscription(client: client, clock: clock, silence: .seconds(5)),
          limits: .init(events: 16, bytes: 1 << 20), linger: .seconds(30), capacity: 2,
          eventLoops: .shared, log: Log("test", write: { _ in }))
        let loop = EventLoopGroup.shared.next()
        let (relay, branch, id) = try await relays.join("a", follower(), on: loop)
        _ = try await relays.join("b", follower(), on: loop)
        _ = try await relays.join("b", follower(), on: loop)
        let error = await #expect(throws: RPCError.self) {
          _ = try await relays.join("c", follower(), on: loop)
        }
        #expect(error?.code == .resourceExhausted)
        await relays.leave(relay, branch, id)
        #expect(await relays.has("a"))
        _ = try await relays.join("c", follower(), on: loop)
        #expect(await !relays.has("a"))
        #expect(await relays.has("b"))
        await relays.stop()
      }
    }
  }
}
