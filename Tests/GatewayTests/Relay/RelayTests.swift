import EventLoop
import GRPCCore
import GRPCInProcessTransport
import KartAPI
import KartProcess
import KartTesting
import RaceRelay
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

  private static let gone = RPCError(code: .unavailable, message: "gone")

  /// Relays what trackers are told to say, one after another.
  private func withRelay(
    _ scripts: [ScriptedTracker.Script], clock: GatewayClock = Self.clock,
    log: @escaping @Sendable (String) -> Void = { _ in },
    _ body:
      @escaping @Sendable (Relay<InProcessTransport.Client>, ScriptedTracker) async throws -> Void
  ) async throws {
    let tracker = ScriptedTracker(scripts)
    let transport = InProcessTransport(clock: ManualClock())
    try await withGRPCServer(transport: transport.server, services: [tracker]) { server in
      defer { server.beginGracefulShutdown() }
      try await withGRPCClient(transport: transport.client) { client in
        try await body(
          Relay(
            race: "Race",
            subscription: TrackerSubscription(client: client, clock: clock, silence: .seconds(5)),
            limits: .init(events: 16, bytes: 1 << 20), log: Log("test", write: log)),
          tracker)
      }
    }
  }

  @Test func aTrackerIsLostOnceAndFoundOnce() async throws {
    let gone = ScriptedTracker.Script(responses: [], end: Self.gone)
    let lines = Mutex<[String]>([])
    let found = Latch<Void>()
    try await withRelay(
      [gone, gone, gone, gone, .init(responses: [.live(.locations(1))])],
      log: { line in
        lines.withLock { $0.append(line) }
        if line.contains("found") { found.close(with: ()) }
      }
    ) { relay, _ in
      let run = Task { await relay.run() }
      try await found.value
      run.cancel()
      await run.value
    }
    let told = lines.withLock { $0 }
    #expect(told.count == 2)
    #expect(told.first?.contains("tracker lost race=Race head=0 reason=") == true)
    #expect(told.last?.contains("tracker found race=Race head=1 attempts=4") == true)
  }

  // MARK: - Trackers that are behind

  /// Begins at a tracker with ten events and goes on at others, at which a second passes with each answer. Tells
  /// what is told to one who has the tenth event, and after which events the trackers were asked for more.
  private func goOn(
    at answers: [ScriptedTracker.Response]...
  ) async throws -> (told: Result<Follower.Delivery, any Error>, asked: [UInt64]) {
    let seconds = Atomic(0)
    let start = ContinuousClock.now
    let clock = GatewayClock(
      now: { start + .seconds(seconds.add(1, ordering: .relaxed).newValue) },
      sleep: Self.clock.sleep)
    let first = ScriptedTracker.Script(
      responses: [.live(.standings(9), .locations(10))], end: Self.gone)
    let result = Latch<(told: Result<Follower.Delivery, any Error>, asked: [UInt64])>()
    try await withRelay([first] + answers.map { .init(responses: $0) }, clock: clock) {
      relay, tracker in
      let branch = await relay.branch(on: EventLoopGroup.shared.next())
      let id = await branch.join(
        Follower(types: [.kartLocations, .standings], resumeAfter: 10))
      // It is not one who may be ahead of a tracker that is a little behind.
      await branch.endIfAhead(id)
      let run = Task { await relay.run() }
      let waiting = Task { try await branch.next(id, isSlow: false) }
      let told = await withTaskCancellationHandler {
        await waiting.result
      } onCancel: {
        waiting.cancel()
        branch.nudge(id)
      }
      result.close(with: (told, tracker.requests.map(\.resumeAfter)))
      run.cancel()
      await run.value
    }
    return try await result.value
  }

  @Test(.timeLimit(.minutes(1))) func aLogThatGoesBackIsFollowedAnew() async throws {
    let (told, asked) = try await goOn(
      at: Array(repeating: .live(head: 5), count: 3), [.live(.standings(4), .locations(5))])
    let error = #expect(throws: RPCError.self) { try told.get() }
    #expect(error?.code == .outOfRange)
    #expect(asked == [0, 10, 0])
  }

  @Test(.timeLimit(.minutes(1))) func aLogThatGoesBackAndGrowsIsFollowedAnew() async throws {
    let (told, asked) = try await goOn(
      at: (5...7).map { .live(head: $0) }, [.live(.standings(4), .locations(8))])
    let error = #expect(throws: RPCError.self) { try told.get() }
    #expect(error?.code == .outOfRange)
    #expect(asked == [0, 10, 0])
  }

  @Test(.timeLimit(.minutes(1))) func aTrackerMayBeBehindForAMoment() async throws {
    let (told, asked) = try await goOn(
      at: [.live(head: 5), .live(head: 5), .live(.locations(11))])
    #expect(try told.get() == .events([.locations(11)]))
    #expect(asked == [0, 10])
  }

  @Test(.timeLimit(.minutes(1))) func aTrackerThatStaysBehindIsLeftForOneThatIsNot() async throws {
    let (told, asked) = try await goOn(
      at: Array(repeating: .live(head: 5), count: 3),
      [.live(head: 5).notYet, .live(.standings(9), .locations(10), .locations(11))])
    #expect(try told.get() == .events([.locations(11)]))
    #expect(asked == [0, 10, 0])
  }
}

extension ScriptedTracker.Response {
  /// The same of a tracker that is not live yet.
  fileprivate var notYet: Self {
    var response = self
    response.live = false
    return response
  }
}
