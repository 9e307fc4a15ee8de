import GRPCCore
import GRPCInProcessTransport
import KartAPI
import KartTesting
import RaceControl
import Testing

@testable import KartCommand

struct FollowerLoadTests {
  private let clock = ManualClock()
  private let now: @Sendable () -> UTCInstant = { UTCInstant(seconds: 10) }

  private func load(_ gateway: ScriptedGateway, followers: Int) async throws -> String {
    try await withClient(of: [gateway]) { client in
      let lane = FollowerLoad<InProcessTransport.Client, ManualClock>.Lane(
        service: .init(wrapping: client))
      let load = FollowerLoad(
        lanes: [lane, lane], race: "Race", types: [.kartLocations, .standings],
        followers: followers, clock: clock, now: now)
      return try await clock.hurrying { try await load.run(for: .seconds(10)).text }
    }
  }

  @Test func everyoneFollowsForTheTimeGiven() async throws {
    let gateway = ScriptedGateway()
    let text = try await load(gateway, followers: 5)
    #expect(gateway.requests.count == 5)
    #expect(text.hasPrefix("5 followers on 2 connections: "))
    #expect(text.contains(" events in 10.000 s"))
    #expect(text.hasSuffix("missed: 0 events; reconnected: 0 times\n"))
  }

  @Test func aFailureThatWillNotPassEndsIt() async throws {
    let gateway = ScriptedGateway([.init(end: .error(.notFound))])
    let error = await #expect(throws: RPCError.self) { _ = try await load(gateway, followers: 1) }
    #expect(error?.code == .notFound)
  }

  @Test func aTallyCountsDelaysAndWhatIsMissed() {
    let tally = FollowerTally(seesEverything: true, now: now)
    #expect(!tally.take(.connecting))
    #expect(tally.take(.connected))
    _ = tally.take(.event(.locations(3, recordedAt: 1000)))
    tally.begin()
    _ = tally.take(.event(.locations(4, recordedAt: 9000, 9750, 8000)))
    _ = tally.take(.event(.with { $0.sequence = 5 }))
    _ = tally.take(.event(.locations(9, recordedAt: 9999)))
    _ = tally.take(.disconnected(RPCError(code: .unavailable, message: ""), retryIn: .zero))
    #expect(!tally.take(.connected))
    #expect(
      tally.counts
        == .init(events: 3, delays: [250_000_000, 1_000_000], missed: 3, reconnections: 1))
  }

  @Test(
    arguments: [
      // The newest event of each type, and then every number.
      ([.standings(2), .locations(30), .locations(31), .standings(32)], 0),
      ([.locations(30), .standings(31), .locations(33)], 1),
      // A race that has events of one type so far.
      ([.locations(30), .locations(31), .locations(33)], 1),
      ([.locations(30), .locations(33)], 2),
      ([.standings(2), .locations(30), .standings(40)], 9),
    ] as [([FollowRaceResponse], Int)])
  func theEventsThatAFollowerJoinsWithLeaveNumbersOut(
    events: [FollowRaceResponse], missed: Int
  ) {
    let tally = FollowerTally(seesEverything: true, now: now)
    for event in events { _ = tally.take(.event(event)) }
    #expect(tally.counts.missed == missed)
    // A call that goes on where the one before broke off begins with no such events.
    _ = tally.take(.disconnected(RPCError(code: .unavailable, message: ""), retryIn: .zero))
    _ = tally.take(.event(.locations(50)))
    #expect(tally.counts.missed == missed + 49 - Int(events.last?.sequence ?? 0))
    // One that begins anew does.
    _ = tally.take(.disconnected(RPCError(code: .outOfRange, message: ""), retryIn: .zero))
    for event in events { _ = tally.take(.event(event)) }
    #expect(tally.counts.missed == 2 * missed + 49 - Int(events.last?.sequence ?? 0))
  }

  @Test func aTallyOfSomeTypesExpectsGaps() {
    let tally = FollowerTally(seesEverything: false, now: now)
    _ = tally.take(.event(.locations(1)))
    _ = tally.take(.event(.locations(9)))
    #expect(tally.counts.missed == 0)
  }
}
