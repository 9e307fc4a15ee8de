import GRPCCore
import GRPCInProcessTransport
import KartAPI
import RaceRelay
import SwiftProtobuf
import Testing

@testable import TrackerService

@Suite struct RaceEventProviderTests {
  typealias Client = Swiftkart_Relay_V1_RaceEventService.Client<InProcessTransport.Client>
  typealias Response = Swiftkart_Relay_V1_SubscribeResponse

  let race: RaceLog

  init() throws {
    race = try RaceLog()
  }

  private func withClient(
    _ configuration: FollowedRaces.Configuration = .init(),
    _ body: @Sendable @escaping (Client, FollowedRaces) async throws -> Void
  ) async throws {
    let transport = InProcessTransport()
    let races = race.races(configuration)
    let run = Task { await races.run() }
    defer { run.cancel() }
    try await withGRPCServer(
      transport: transport.server, services: [RaceEventProvider(races: races)]
    ) { _ in
      try await withGRPCClient(transport: transport.client) { client in
        try await body(Client(wrapping: client), races)
      }
    }
  }

  /// Subscribes until an event of a number has come.
  private func subscribe(
    _ client: Client, resumeAfter: UInt64 = 0, fromStart: Bool = false, until last: UInt64
  ) async throws -> [RelayedEvent] {
    let request = Swiftkart_Relay_V1_SubscribeRequest.with {
      $0.raceName = RaceLog.race
      $0.resumeAfter = resumeAfter
      $0.fromStart = fromStart
    }
    return try await client.subscribe(request) { response in
      var events: [RelayedEvent] = []
      for try await message in response.messages {
        events += message.events
        if let number = events.last?.sequence, number >= last { break }
      }
      return events
    }
  }

  @Test func theFirstResponseComesAtOnceAndIsEmpty() async throws {
    try await withClient { client, _ in
      let first = try await client.subscribe(.with { $0.raceName = "Nowhere" }) { response in
        try await response.messages.first { _ in true }
      }
      #expect(first == Response(head: 0, isLive: false))
    }
  }

  @Test func withoutANumberTheNewestComeFirst() async throws {
    try await race.append([
      .start(), .location(kart: 1, tick: 1), .crossing(kart: 1, lap: 0, at: 0),
      .location(kart: 1, tick: 2), .location(kart: 1, tick: 3),
    ])
    try await withClient { client, _ in
      let newest = try await subscribe(client, until: 5)
      #expect(newest.map(\.sequence) == [3, 5])
      let all = try await subscribe(client, fromStart: true, until: 5)
      #expect(all.map(\.sequence) == [1, 2, 3, 4, 5])
      let rest = try await subscribe(client, resumeAfter: 3, until: 5)
      #expect(rest == Array(all[3...]))
    }
  }

  @Test func eventsFollowAsTheyHappen() async throws {
    try await race.append([.start()])
    try await withClient { client, _ in
      async let events = subscribe(client, resumeAfter: 1, until: 11)
      for tick in 1...10 { try await race.append([.location(kart: 1, tick: tick)]) }
      #expect(try await events.map(\.sequence) == Array(2...11))
    }
  }

  @Test func whatMemoryHasLetGoComesFromTheLogWithoutAGap() async throws {
    var configuration = FollowedRaces.Configuration()
    configuration.window = .init(events: 8, bytes: 1 << 20)
    try await race.append([.start()] + (1...500).map { .location(kart: 1, tick: $0) })
    try await withClient(configuration) { client, _ in
      let all = try await subscribe(client, fromStart: true, until: 501)
      #expect(all.map(\.sequence) == Array(1...501))
      #expect(try await subscribe(client, resumeAfter: 100, until: 501) == Array(all[100...]))
    }
  }

  @Test func aBeatComesWhileNothingHappens() async throws {
    try await withClient { client, _ in
      try await client.subscribe(.with { $0.raceName = RaceLog.race }) { response in
        var messages = response.messages.makeAsyncIterator()
        _ = try await messages.next()
        let advance = Task {
          // The tail polls and the beat waits: both sleep.
          while !Task.isCancelled {
            await race.clock.sleepers(2)
            race.clock.advance(by: .milliseconds(20))
            await Task.yield()
          }
        }
        defer { advance.cancel() }
        while try await messages.next()?.live != true {}
        for _ in 0..<3 {
          #expect(try await messages.next() == Response(head: 0, isLive: true))
        }
      }
    }
  }

  @Test func anEmptyNameIsRefused() async throws {
    try await withClient { client, _ in
      let error = await #expect(throws: RPCError.self) {
        try await client.subscribe(.init()) { response in
          for try await _ in response.messages {}
        }
      }
      #expect(error?.code == .invalidArgument)
    }
  }

  @Test func drainingSendsSubscribersElsewhere() async throws {
    try await withClient { client, races in
      let error = await #expect(throws: RPCError.self) {
        try await client.subscribe(.with { $0.raceName = RaceLog.race }) { response in
          for try await _ in response.messages { await races.drain() }
        }
      }
      #expect(error?.code == .unavailable)
    }
  }

  @Test func drainingSendsThoseElsewhereWhoReadTheLogSlowly() async throws {
    var configuration = FollowedRaces.Configuration()
    configuration.window = .init(events: 8, bytes: 1 << 20)
    // Many more messages than lie between a tracker and its subscriber.
    try await race.append(
      [.start()]
        + (1...400).map { tick in
          .with {
            $0.observations = (1...150).flatMap {
              Swiftkart_Telemetry_V1_RecordRequest.location(kart: $0, tick: tick).observations
            }
          }
        })
    try await withClient(configuration) { client, races in
      let request = Swiftkart_Relay_V1_SubscribeRequest.with {
        $0.raceName = RaceLog.race
        $0.fromStart = true
      }
      let (last, error) = try await client.subscribe(request) { response in
        var last: UInt64 = 0
        do {
          for try await message in response.messages {
            last = message.events.last?.sequence ?? last
            if last > 0 { await races.drain() }
          }
          return (last, RPCError?.none)
        } catch {
          return (last, error as? RPCError)
        }
      }
      #expect(error?.code == .unavailable)
      #expect(last > 0 && last < 401)
    }
  }

  @Test func aSubscriberThatGoesIsNoLongerCounted() async throws {
    try await withClient { client, races in
      _ = try await client.subscribe(.with { $0.raceName = RaceLog.race }) { response in
        try await response.messages.first { _ in true }
      }
      while await races.followerCount(of: RaceLog.race) > 0 { await Task.yield() }
    }
  }

  @Test func partsKeepTheirLimit() {
    func event(_ number: UInt64, _ bytes: Int) -> RelayedEvent {
      RelayedEvent(
        sequence: number, type: .standings, response: Array(repeating: 0, count: bytes))
    }
    let events = [event(1, 40), event(2, 70), event(3, 200), event(4, 1)]
    #expect(events.parts(limit: 100).map { $0.map(\.sequence) } == [[1, 2], [3], [4]])
    #expect([RelayedEvent]().parts(limit: 100).map(\.count) == [0])
  }
}
