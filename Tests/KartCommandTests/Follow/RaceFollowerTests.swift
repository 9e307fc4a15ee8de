import GRPCCore
import GRPCInProcessTransport
import KartAPI
import KartTesting
import Synchronization
import Testing

@testable import KartCommand

struct RaceFollowerTests {
  private let clock = ManualClock()

  /// What a follower was told, in words.
  private final class Story: Sendable {
    private let words = Mutex<[String]>([])

    var text: [String] { words.withLock { $0 } }

    func tell(_ update: FollowUpdate) {
      let word =
        switch update {
        case .connecting: "connecting"
        case .connected: "connected"
        case .event(let event): "event \(event.sequence)"
        case .disconnected(let error, _): "lost: \(error.code)"
        }
      words.withLock { $0.append(word) }
    }
  }

  /// Follows until an event of a number has come, and is woken whenever it waits.
  private func follow(
    _ gateway: ScriptedGateway, until last: UInt64 = .max, _ story: Story = Story()
  ) async throws -> [String] {
    let done = Latch<Void>()
    try await withClient(of: [gateway]) { client in
      let follower = RaceFollower(
        SwiftKartService.Client(wrapping: client), race: "Race",
        types: [.kartLocations, .standings], clock: clock
      ) { update in
        story.tell(update)
        if case .event(let event) = update, event.sequence == last { done.close(with: ()) }
      }
      try await clock.hurrying {
        try await withThrowingTaskGroup(of: Void.self) { group in
          defer { group.cancelAll() }
          group.addTask { try await follower.run() }
          group.addTask { try await done.value }
          try await group.next()
        }
      }
    }
    return story.text
  }

  @Test func eachCallGoesOnWhereTheOneBeforeGotTo() async throws {
    let gateway = ScriptedGateway([
      .init(events: [.locations(4), .locations(5)], end: .error(.unavailable)),
      .init(events: [], end: .error(.internalError)),
      .init(events: [.locations(6)], end: .ok),
      .init(events: [.locations(7)]),
    ])
    let story = try await follow(gateway, until: 7)
    #expect(gateway.requests.map(\.resumeAfter) == [0, 5, 5, 6])
    #expect(
      gateway.requests.allSatisfy {
        $0.raceName == "Race" && $0.eventTypes == [.kartLocations, .standings]
      })
    #expect(story.filter { $0.hasPrefix("event") } == (4...7).map { "event \($0)" })
    #expect(
      story.filter { $0.hasPrefix("lost") }
        == ["lost: UNAVAILABLE", "lost: INTERNAL", "lost: UNAVAILABLE"])
    #expect(story.prefix(2) == ["connecting", "connected"])
  }

  @Test func aRaceWhoseNumbersBeginAnewIsFollowedAnew() async throws {
    let gateway = ScriptedGateway([
      .init(events: [.locations(50)], end: .error(.unavailable)),
      .init(end: .error(.outOfRange)), .init(events: [.locations(2)]),
    ])
    _ = try await follow(gateway, until: 2)
    #expect(gateway.requests.map(\.resumeAfter) == [0, 50, 0])
  }

  @Test func theFirstRequestAsksForASnapshotAndNotForANumber() async throws {
    let gateway = ScriptedGateway([.init(events: [.locations(1)])])
    _ = try await follow(gateway, until: 1)
    #expect(gateway.requests.map(\.hasResumeAfter) == [false])
  }

  @Test(arguments: [RPCError.Code.notFound, .invalidArgument, .permissionDenied])
  func aFailureThatWillNotPassEndsIt(code: RPCError.Code) async throws {
    let gateway = ScriptedGateway([.init(end: .error(code))])
    let error = await #expect(throws: RPCError.self) { _ = try await follow(gateway) }
    #expect(error?.code == code)
    #expect(gateway.requests.count == 1)
  }

  @Test func whatTheListenerThrowsEndsIt() async throws {
    struct Enough: Error {}
    let gateway = ScriptedGateway([.init(events: [.locations(1)])])
    await #expect(throws: Enough.self) {
      try await withClient(of: [gateway]) { client in
        try await RaceFollower(
          SwiftKartService.Client(wrapping: client), race: "Race", types: [.standings],
          clock: clock
        ) { update in
          if case .event = update { throw Enough() }
        }.run()
      }
    }
  }

  /// How long is waited between calls, until an event of a number has come.
  private func waits(_ gateway: ScriptedGateway, until last: UInt64) async throws -> [Duration] {
    let waits = Mutex<[Duration]>([])
    let done = Latch<Void>()
    try await withClient(of: [gateway]) { client in
      let follower = RaceFollower(
        SwiftKartService.Client(wrapping: client), race: "Race", types: [.standings], clock: clock
      ) { update in
        if case .disconnected(_, let wait) = update { waits.withLock { $0.append(wait) } }
        if case .event(let event) = update, event.sequence == last { done.close(with: ()) }
      }
      try await clock.hurrying {
        try await withThrowingTaskGroup(of: Void.self) { group in
          defer { group.cancelAll() }
          group.addTask { try await follower.run() }
          group.addTask { try await done.value }
          try await group.next()
        }
      }
    }
    return waits.withLock { $0 }
  }

  @Test func waitsGrowUntilAnEventComes() async throws {
    let failure = ScriptedGateway.Script(end: .error(.unavailable))
    let gateway = ScriptedGateway(
      [failure, failure, failure, .init(events: [.locations(1)], end: .error(.unavailable))]
        + [failure, .init(events: [.locations(2)])])
    let found = try await waits(gateway, until: 2)
    // Each is up to a fifth shorter than its turn: 100, 200, 400 ms; then from the beginning.
    let turns: [Int64] = [100, 200, 400, 100, 200]
    #expect(found.count == turns.count)
    for (wait, turn) in zip(found, turns) {
      #expect(wait <= .milliseconds(turn) && wait >= .milliseconds(turn) * 0.8)
    }
  }

  @Test func whatTheGatewayAsksForIsWaitedAtLeast() async throws {
    let gateway = ScriptedGateway([
      .init(end: .error(.resourceExhausted), metadata: ["grpc-retry-pushback-ms": "20000"]),
      .init(events: [.locations(1)]),
    ])
    #expect(try await waits(gateway, until: 1) == [.seconds(20)])
  }
}
