import GRPCCore
import GRPCInProcessTransport
import KartAPI
import KartProcess
import KartTesting
import Synchronization
import Testing

@testable import Gateway

@Suite struct RelayTests {
  // No tracker counts as silent, by a first look after 500 ms or later ones each second, and nobody
  // pauses before the next.
  private static let clock = GatewayClock(now: { .now }) { duration in
    guard [.milliseconds(500), .seconds(1)].contains(duration) else { return }
    try await Latch<Void>().value
  }

  @Test func aTrackerIsLostOnceAndFoundOnce() async throws {
    let gone = ScriptedTracker.Script(
      responses: [], end: RPCError(code: .unavailable, message: "gone"))
    let tracker = ScriptedTracker([
      gone, gone, gone, gone, .init(responses: [.live(.locations(1))]),
    ])
    let lines = Mutex<[String]>([])
    let found = Latch<Void>()
    let log = Log(
      "test",
      write: { line in
        lines.withLock { $0.append(line) }
        if line.contains("found") { found.close(with: ()) }
      })
    let transport = InProcessTransport(clock: ManualClock())
    try await withGRPCServer(transport: transport.server, services: [tracker]) { server in
      defer { server.beginGracefulShutdown() }
      try await withGRPCClient(transport: transport.client) { client in
        let subscription = TrackerSubscription(
          client: client, clock: Self.clock, silence: .seconds(5))
        let relay = Relay(
          race: "Race", subscription: subscription, limits: .init(events: 16, bytes: 1 << 20),
          log: log)
        let run = Task { await relay.run() }
        try await found.value
        run.cancel()
        await run.value
      }
    }
    let told = lines.withLock { $0 }
    #expect(told.count == 2)
    #expect(told.first?.contains("tracker lost race=Race head=0 reason=") == true)
    #expect(told.last?.contains("tracker found race=Race head=1 attempts=4") == true)
  }
}
