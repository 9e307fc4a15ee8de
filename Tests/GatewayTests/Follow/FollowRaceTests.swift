import GRPCCore
import GRPCInProcessTransport
import KartAPI
import KartProcess
import KartTesting
import RaceRelay
import Synchronization
import Testing

@testable import Gateway

@Suite struct FollowRaceTests {
  typealias Client = SwiftKartService.Client<InProcessTransport.Client>
  typealias InProcessGateway = Gateway<InProcessTransport.Client, InProcessTransport.Client>
  typealias Organiser = Swiftkart_Schedule_V1_RaceScheduleService.Client<InProcessTransport.Client>

  private func withGateway(
    _ scripts: [ScriptedTracker.Script],
    _ body: @escaping @Sendable (Client, ScriptedTracker) async throws -> Void
  ) async throws {
    try await withGateway(scripts) { client, _, tracker in try await body(client, tracker) }
  }

  private func withGateway(
    _ scripts: [ScriptedTracker.Script],
    _ body: @escaping @Sendable (Client, Organiser, ScriptedTracker) async throws -> Void
  ) async throws {
    // No tracker is ever silent for too long: what is tested here is what they say.
    let clock = GatewayClock(now: { .now }, sleep: { _ in try await Latch<Void>().value })
    try await withGateway(scripts, ScriptedSchedule(), clock) { client, organiser, tracker, _ in
      try await body(client, organiser, tracker)
    }
  }

  private func withGateway(
    _ scripts: [ScriptedTracker.Script], _ races: ScriptedSchedule, _ clock: GatewayClock,
    _ body:
      @escaping @Sendable (
        Client, Organiser, ScriptedTracker, InProcessGateway
      ) async throws -> Void
  ) async throws {
    let (schedule, trackers, front) = (
      InProcessTransport(clock: ManualClock()), InProcessTransport(clock: ManualClock()),
      InProcessTransport(clock: ManualClock())
    )
    let tracker = ScriptedTracker(scripts)
    try await withGRPCServer(transport: schedule.server, services: [races]) { _ in
      try await withGRPCServer(transport: trackers.server, services: [tracker]) { _ in
        try await withGRPCClient(transport: schedule.client) { schedule in
          try await withGRPCClient(transport: trackers.client) { trackers in
            let gateway = Gateway(
              schedule: schedule, trackers: trackers, replays: trackers, telemetry: trackers,
              clock: clock,
              log: Log("test", write: { _ in }))
            try await withGRPCServer(transport: front.server, services: [gateway]) { server in
              try await withGRPCClient(transport: front.client) { client in
                try await body(
                  Client(wrapping: client), Organiser(wrapping: client), tracker, gateway)
              }
              // The relay's own subscription has no end; nobody waits for it here.
              server.beginGracefulShutdown()
            }
            await gateway.stop()
          }
        }
      }
    }
  }

  /// Follows the race until an event of a number has come.
  private func follow(
    _ client: Client, _ types: [RaceEventType] = [.kartLocations, .standings],
    resumeAfter number: UInt64 = 0, until last: UInt64, options: CallOptions = .defaults
  ) async throws -> [UInt64] {
    let done = Latch<Void>()
    return try await client.followRace(options: options) { requests in
      try await requests.write(
        .with {
          $0.raceName = "Race"
          $0.eventTypes = types
          if number > 0 { $0.resumeAfter = number }
        })
      try await done.value
    } onResponse: { response in
      var numbers: [UInt64] = []
      for try await event in response.messages {
        numbers.append(event.sequence)
        if event.sequence >= last { done.close(with: ()) }
      }
      return numbers
    }
  }

  @Test func relayGoesOnAtAnotherTrackerAfterTheLastEvent() async throws {
    let lost = RPCError(code: .unavailable, message: "killed")
    try await withGateway([
      .init(
        responses: [.live(.locations(1)), .live(.standings(2), .locations(3))], end: lost),
      .init(responses: [.live(.standings(4)), .live(.locations(5))]),
    ]) { client, tracker in
      let numbers = try await follow(client, until: 5)
      #expect(numbers.last == 5)
      #expect(Set(numbers).count == numbers.count)
      #expect(numbers == Array((numbers.first ?? 0)...5))
      #expect(tracker.requests.map(\.resumeAfter) == [0, 3])
    }
  }

  @Test(.timeLimit(.minutes(1))) func whoGivesUpWhileTheCallBeginsKeepsNoRelay() async throws {
    let asked = Mutex(0)
    let isHeld = Latch<Void>()
    let races = ScriptedSchedule(beforeAnswer: {
      guard
        asked.withLock({
          $0 += 1; return $0
        }) == 2
      else { return }
      isHeld.close(with: ())
      try await Latch<Void>().value
    })
    // Relays do not linger here.
    let clock = GatewayClock(now: { .now }) { duration in
      if duration != .seconds(30) { try await Latch<Void>().value }
    }
    try await withGateway([.init(responses: [.live(.locations(1))])], races, clock) {
      client, _, _, gateway in
      let left = Latch<Void>()
      try await client.followRace { requests in
        try await requests.write(Self.request("Race", [.kartLocations]))
        try await left.value
      } onResponse: { response in
        for try await _ in response.messages {
          let second = Task { try await follow(client, until: 1) }
          try await isHeld.value
          second.cancel()
          _ = await second.result
          #expect(await gateway.relays.has("Race"))
          left.close(with: ())
        }
      }
      while await gateway.relays.has("Race") {
        try Task.checkCancellation()
        await Task.yield()
      }
    }
  }

  @Test func theDeadlineOfTheFirstFollowerIsNotTheRelays() async throws {
    try await withGateway([.init(responses: [.live(.locations(1))])]) { client, tracker in
      var options = CallOptions.defaults
      options.timeout = .seconds(600)
      let numbers = try await follow(client, until: 1, options: options)
      #expect(numbers == [1])
      #expect(tracker.requests.count == 1 && tracker.requestedDeadlines.isEmpty)
    }
  }

  @Test func everyEventOfARaceThatBeginsIsTold() async throws {
    try await withGateway([
      .init(responses: [
        .live(), .live(.locations(1), .locations(2), .locations(3), .locations(4)),
      ])
    ]) { client, _ in
      // From the first event on, unless they came before the follower did: then from the newest.
      let numbers = try await follow(client, until: 4)
      #expect(numbers == [1, 2, 3, 4] || numbers == [4])
    }
  }

  @Test func followerThatResumesFarBackCatchesUp() async throws {
    try await withGateway([
      .init(responses: [.live(.standings(9), .locations(10))]),
      .init(responses: [.live(.locations(8), .standings(9), .locations(10))]),
    ]) { client, tracker in
      var options = CallOptions.defaults
      options.timeout = .seconds(600)
      let numbers = try await follow(client, resumeAfter: 7, until: 10, options: options)
      #expect(numbers == [8, 9, 10])
      #expect(tracker.requests.map(\.resumeAfter) == [0, 7])
      // When a follower's time is over, the tracker has not failed.
      #expect(tracker.requestedDeadlines.isEmpty)
    }
  }

  @Test func followerThatResumesALittleBehindIsToldFromTheBacklog() async throws {
    try await withGateway([
      .init(responses: [
        .live(.standings(3), .locations(7), .locations(8), .locations(9), .locations(10))
      ])
    ]) { client, tracker in
      let numbers = try await follow(client, resumeAfter: 7, until: 10)
      #expect(numbers == [8, 9, 10])
      #expect(tracker.requests.map(\.backlog) == [1024])
    }
  }

  @Test func eventsThatNoTrackerHasAnyLongerAreLeftOut() async throws {
    let lost = RPCError(code: .unavailable, message: "killed")
    try await withGateway([
      .init(responses: [.live(.locations(3))], end: lost),
      .init(responses: [.live(.locations(9), .locations(10))]),
      .init(responses: [.live(.locations(9), .locations(10))]),
    ]) { client, _ in
      let numbers = try await follow(client, until: 10)
      #expect(numbers.suffix(2) == [9, 10] || numbers == [10])
    }
  }

  @Test func whoFollowsARaceThatIsDeletedIsTold() async throws {
    try await withGateway([.init(responses: [.live(.locations(1))])]) {
      client, organiser, _ in
      let done = Latch<Void>()
      let error: RPCError? = try await client.followRace { requests in
        try await requests.write(Self.request("Race", [.kartLocations]))
        try await done.value
      } onResponse: { response in
        defer { done.close(with: ()) }
        do {
          for try await _ in response.messages {
            _ = try await organiser.deleteRace(.with { $0.name = "Race" })
          }
          return nil
        } catch {
          return error as? RPCError
        }
      }
      #expect(error?.code == .notFound)
      #expect(error?.message == "The race \"Race\" was deleted.")
    }
  }

  @Test func onlyTheTypesAskedForAreTold() async throws {
    try await withGateway([
      .init(responses: [.live(.standings(9), .locations(10))])
    ]) { client, _ in
      let numbers = try await follow(client, [.standings], until: 9)
      #expect(numbers == [9])
    }
  }

  private static func request(_ name: String, _ types: [RaceEventType]) -> FollowRaceRequest {
    .with {
      $0.raceName = name
      $0.eventTypes = types
    }
  }

  @Test(
    arguments: [
      ([request("", [.standings])], RPCError.Code.invalidArgument),
      ([request("Race", [.unspecified])], .invalidArgument),
      ([request("Other", [.standings])], .notFound),
      ([request(String(repeating: "x", count: 100_000), [.standings])], .invalidArgument),
      ([request("Race", [.standings]), request("Other", [.standings])], .invalidArgument),
      ([request("Race", [.standings]), request("", [.unspecified])], .invalidArgument),
      ([], nil),
      ([request("Race", [.UNRECOGNIZED(77)])], nil),
      ([request("Race", [.standings]), request("", []), request("Race", [.kartLocations])], nil),
    ] as [([FollowRaceRequest], RPCError.Code?)])
  func requestsAreJudgedAsTheContractSays(
    requests: [FollowRaceRequest], code: RPCError.Code?
  ) async throws {
    try await withGateway([.init(responses: [.live()])]) { client, _ in
      let failure: RPCError.Code? = try await client.followRace { writer in
        try await writer.write(contentsOf: requests)
      } onResponse: { response in
        do {
          for try await _ in response.messages {}
          return nil
        } catch let error as RPCError {
          return error.code
        }
      }
      #expect(failure == code)
    }
  }

  @Test func laterRequestsAreForTheSameBytes() throws {
    let request = FollowRaceRequest.with { $0.raceName = "Cafe\u{301} Cup" }
    try request.validateIsFor("Cafe\u{301} Cup")
    #expect(throws: RPCError.self) { try request.validateIsFor("Caf\u{e9} Cup") }
  }
}
