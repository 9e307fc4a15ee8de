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

  /// - Parameter sleepers: How many sleep when it is the time's turn to move on.
  private func load(
    _ gateway: some RegistrableRPCService, followers: Int, whenever sleepers: Int = 2
  ) async throws -> String {
    try await withClient(of: [gateway]) { client in
      let lane = FollowerLoad<InProcessTransport.Client, ManualClock>.Lane(
        service: .init(wrapping: client))
      let load = FollowerLoad(
        lanes: [lane, lane], race: "Race", types: [.kartLocations, .standings],
        followers: followers, clock: clock, now: now)
      return try await clock.hurrying(whenever: sleepers) {
        try await load.run(for: .seconds(10)).text
      }
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

  @Test func aLoadOfMinutesIsToldInSeconds() {
    let report = FollowerLoad<InProcessTransport.Client, ManualClock>.Report(
      followers: 1, connections: 1, events: 124, missed: 0, reconnections: 0,
      elapsed: .milliseconds(62_000))
    #expect(report.text.contains(": 124 events in 62.000 s: 2 events/s\n"))
  }

  @Test func aFailureThatWillNotPassEndsIt() async throws {
    let gateway = ScriptedGateway([.init(end: .error(.notFound))])
    // No time passes: the load is not over before the failure is there.
    let error = await #expect(throws: RPCError.self) {
      _ = try await load(gateway, followers: 1, whenever: .max)
    }
    #expect(error?.code == .notFound)
  }

  /// Fails every call before it is taken, as the client does where it cannot connect.
  private struct Unreachable: RegistrableRPCService {
    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
      router.registerHandler(
        forMethod: SwiftKartService.Method.FollowRace.descriptor,
        deserializer: SerializedMessages(), serializer: SerializedMessages()
      ) { _, _ in StreamingServerResponse(error: RPCError(code: .unavailable, message: "as told")) }
    }
  }

  @Test func aGatewayThatCannotBeReachedEndsIt() async throws {
    let error = await #expect(throws: RPCError.self) {
      _ = try await load(Unreachable(), followers: 1, whenever: .max)
    }
    #expect(error?.code == .unavailable)
  }

  @Test func followersThatGetNoConnectionEndIt() async throws {
    let gateway = ScriptedGateway([.init(end: .silent)])
    await #expect(throws: FollowerArrivals.Stalled.self) {
      _ = try await load(gateway, followers: 2, whenever: 1)
    }
  }

  @Test(
    arguments: [
      (0, nil, "does not answer; see kart health"),
      (1, nil, "only 1 of 3 followers could be connected on 2 connections, and the rest wait"),
      (1, RPCError(code: .resourceExhausted, message: "full"), "followers could be connected: "),
      (1, RPCError(code: .resourceExhausted, message: "full"), "full"),
    ] as [(Int, RPCError?, String)])
  func whatKeepsFollowersOutIsSaid(
    connected: Int, failure: RPCError?, words: String
  ) async throws {
    let arrivals = FollowerArrivals(of: 3, on: 2)
    for _ in 0..<connected { arrivals.add() }
    if let failure { try arrivals.note(failure) }
    let error = await #expect(throws: FollowerArrivals.Stalled.self) {
      try await clock.hurrying { try await arrivals.watch(by: clock, patience: .seconds(5)) }
    }
    #expect(try #require(error).description.contains(words))
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
