import KartAPI
import KartProcess
import RaceRelay
import Synchronization
import Testing

@testable import TrackerService

@Suite(.timeLimit(.minutes(1))) struct FollowedRaceTests {
  let race: RaceLog

  init() throws {
    race = try RaceLog()
  }

  /// Collects events until there are so many.
  private func collect(
    _ count: Int, from followed: FollowedRace, after number: UInt64
  ) async throws -> [RelayedEvent] {
    var events: [RelayedEvent] = []
    var cursor = FollowedRace.Cursor.after(number)
    while events.count < count {
      if case .events(let more, let next) = try await followed.next(cursor) {
        events += more
        cursor = .after(next)
      }
    }
    return events
  }

  private func running<Result: Sendable>(
    _ races: FollowedRaces, _ body: @Sendable @escaping () async throws -> Result
  ) async throws -> Result {
    let run = Task { await races.run() }
    defer { run.cancel() }
    return try await body()
  }

  @Test func eventsAreThoseOfTheLogAndThenOfItsTail() async throws {
    try await race.append([.start(), .crossing(kart: 1, lap: 0, at: 0)])
    let races = race.races()
    try await running(races) {
      let followed = try await races.follow(RaceLog.race)
      let before = try await collect(2, from: followed, after: 0)
      #expect(before.map(\.sequence) == [1, 2])
      async let after = collect(2, from: followed, after: 2)
      try await race.append([.location(kart: 1, tick: 1), .crossing(kart: 2, lap: 0, at: 1)])
      let events = try await after
      #expect(events.map(\.sequence) == [3, 4])
      #expect(events.map(\.type) == [.kartLocations, .standings])
      let event = try FollowRaceResponse(serializedBytes: events[0].response)
      #expect(event.sequence == 3)
      #expect(event.locations.karts.map(\.number) == [1])
    }
  }

  @Test func racesAreToldApartByTheBytesOfTheirNames() async throws {
    let names = ["Caf\u{e9} Cup", "Cafe\u{301} Cup"]
    let races = race.races()
    try await running(races) {
      var followed: [FollowedRace] = []
      for name in names { followed.append(try await races.follow(name)) }
      for (kart, name) in zip(Int32(1)..., names) {
        try await race.append([.start(), .location(kart: kart, tick: 1)], to: name)
      }
      for (kart, followed) in zip(Int32(1)..., followed) {
        let event = try #require(try await collect(2, from: followed, after: 0).last)
        let response = try FollowRaceResponse(serializedBytes: event.response)
        #expect(response.locations.karts.map(\.number) == [kart])
      }
    }
  }

  @Test func theSnapshotHasTheNewestOfEachType() async throws {
    try await race.append([
      .start(), .location(kart: 1, tick: 1), .crossing(kart: 1, lap: 0, at: 0),
      .location(kart: 1, tick: 2), .location(kart: 1, tick: 3),
    ])
    let races = race.races()
    try await running(races) {
      let followed = try await races.follow(RaceLog.race)
      while true {
        guard case .events(let events, let next) = try await followed.next(.newest(backlog: 0))
        else {
          continue
        }
        #expect(events.map(\.sequence) == [3, 5])
        #expect(events.map(\.type) == [.standings, .kartLocations])
        #expect(next == 5)
        break
      }
    }
  }

  @Test(
    arguments: zip(
      [0, 1, 2, 3, 100], [[3, 5], [3, 5], [3, 4, 5], [3, 4, 5], [1, 2, 3, 4, 5]]))
  func theSnapshotReachesBack(backlog: Int, numbers: [UInt64]) async throws {
    try await race.append([
      .start(), .location(kart: 1, tick: 1), .crossing(kart: 1, lap: 0, at: 0),
      .location(kart: 1, tick: 2), .location(kart: 1, tick: 3),
    ])
    let races = race.races()
    try await running(races) {
      let followed = try await races.follow(RaceLog.race)
      _ = try await collect(5, from: followed, after: 0)
      guard
        case .events(let events, let next) = try await followed.next(.newest(backlog: backlog))
      else {
        Issue.record("not live")
        return
      }
      #expect(events.map(\.sequence) == numbers)
      #expect(next == 5)
    }
  }

  @Test func aRaceWithoutALogIsSilent() async throws {
    let races = race.races()
    try await running(races) {
      let followed = try await races.follow("Nowhere")
      guard case .events(let events, let next) = try await followed.next(.newest(backlog: 0)) else {
        Issue.record("not loaded")
        return
      }
      #expect(events.isEmpty)
      #expect(next == 0)
    }
  }

  @Test func everyReplicaHasTheSameEventsWhereverItBegan() async throws {
    try await race.append([.start()] + (1...50).map { .location(kart: 1, tick: $0) })
    let first = race.races()
    let second = race.races(log: try race.reopened())
    try await running(first) {
      // This one has seen the whole log; its checkpoint of the second session is kept.
      let early = try await first.follow(RaceLog.race)
      _ = try await collect(51, from: early, after: 0)
      try await race.append(
        [.start(laps: 3)] + (51...90).map { .location(kart: 2, tick: $0) })
      let all = try await collect(92, from: early, after: 0)
      try await running(second) {
        // And this one begins with it, wherever it is asked to resume.
        let late = try await second.follow(RaceLog.race)
        let tail = try await collect(30, from: late, after: 62)
        #expect(tail == Array(all[62...]))
      }
    }
  }

  @Test func whatMemoryHasLetGoIsInTheLog() async throws {
    var configuration = FollowedRaces.Configuration()
    configuration.window = .init(events: 4, bytes: 1 << 20)
    try await race.append([.start()] + (1...20).map { .location(kart: 1, tick: $0) })
    let races = race.races(configuration)
    try await running(races) {
      let followed = try await races.follow(RaceLog.race)
      _ = try await collect(1, from: followed, after: 20)
      guard case .inLogOnly = try await followed.next(.after(3)) else {
        Issue.record("still in memory")
        return
      }
      var replay = try await RaceReplay(race: RaceLog.race, after: 3, log: race.log)
      var events: [RelayedEvent] = []
      while let page = try await replay.next() { events += page }
      #expect(events.map(\.sequence) == Array(4...21))
      #expect(try await Array(events.suffix(4)) == collect(4, from: followed, after: 17))
    }
  }

  @Test func moreThanALoopMayBeHeldForIsReadFromTheLog() async throws {
    try await race.append([.start()])
    let followed = FollowedRace(
      name: RaceLog.race, log: race.log, window: .init(events: 8_192, bytes: 8 << 20),
      loop: .init(name: "race"))
    try await followed.load(through: 1)
    try await race.append((1...3_000).map { .location(kart: 1, tick: $0) })
    let batches = try await race.log.batches(
      ofRace: RaceLog.race, after: 1, through: .max, limit: .max)
    #expect(await followed.receive(Array(batches.prefix(2_900))) == .mustLoad)
    // What comes now is read with the rest; whoever follows is not told that the race is unknown.
    #expect(await followed.receive(Array(batches.dropFirst(2_900))) == .taken)
    #expect(await followed.isLive)
    #expect(await (1..<3_001).contains(followed.head))
    let load = Task { try await followed.load(through: 2_901) }
    let events = try await collect(3_001, from: followed, after: 0)
    #expect(events.map(\.sequence) == Array(1...3_001))
    try await load.value
    try await race.append([.start()])
    let more = try await race.log.batches(
      ofRace: RaceLog.race, after: 3_001, through: .max, limit: .max)
    #expect(await followed.receive(more) == .taken)
    #expect(await followed.head == 3_002)
  }

  @Test func whatIsReceivedWhileLoadingIsLoaded() async throws {
    try await race.append([.start()] + (1...20).map { .location(kart: 1, tick: $0) })
    let batches = try await race.log.batches(
      ofRace: RaceLog.race, after: 0, through: .max, limit: .max)
    let followed = FollowedRace(
      name: RaceLog.race, log: race.log, window: .init(events: 100, bytes: 1 << 20),
      loop: .init(name: "race"))
    #expect(await followed.receive(Array(batches.suffix(4))) == .taken)
    #expect(await !followed.isLive)
    try await followed.load(through: 10)
    #expect(await followed.isLive)
    #expect(await followed.head == 21)
  }

  @Test func tooManyKartsAreToldOnce() async throws {
    let lines = Mutex<[String]>([])
    let logger = Log("test", write: { line in lines.withLock { $0.append(line) } })
    let followed = FollowedRace(
      name: RaceLog.race, log: race.log, window: .init(events: 1_000, bytes: 8 << 20),
      loop: .init(name: "race"), logger: logger)
    try await race.append((1...300).map { .location(kart: $0, tick: 1) })
    try await followed.load(through: .max)
    #expect(await followed.head == 200)
    try await race.append([.start()] + (1...300).map { .crossing(kart: $0, lap: 0, at: 1) })
    let batches = try await race.log.batches(
      ofRace: RaceLog.race, after: 300, through: .max, limit: .max)
    for batch in batches { _ = await followed.receive([batch]) }
    #expect(await followed.head == 401)
    let told = lines.withLock { $0 }
    #expect(told.count == 1)
    #expect(told.first?.contains("karts passed over") == true)
  }

  @Test func drainingEndsSubscriptions() async throws {
    let races = race.races()
    try await running(races) {
      let followed = try await races.follow(RaceLog.race)
      _ = try await followed.next(.newest(backlog: 0))
      let next = Task { try await followed.next(.after(0)) }
      await races.drain()
      await #expect(throws: FollowedRace.drainError) { _ = try await next.value }
      await #expect(throws: FollowedRace.drainError) { _ = try await races.follow("Another") }
    }
  }

  @Test func anIdleRaceIsForgottenAndReadAgain() async throws {
    var configuration = FollowedRaces.Configuration()
    configuration.idleBeats = 2
    try await race.append([.start()])
    let races = race.races(configuration)
    try await running(races) {
      let followed = try await races.follow(RaceLog.race)
      _ = try await collect(1, from: followed, after: 0)
      await races.leave(followed)
      #expect(try await races.follow(RaceLog.race) === followed)
      await races.leave(followed)
      while await races.count > 0 {
        await race.clock.sleepers()
        race.clock.advance(by: .milliseconds(250))
        await Task.yield()
      }
      let again = try await races.follow(RaceLog.race)
      #expect(again !== followed)
      #expect(try await collect(1, from: again, after: 0).map(\.sequence) == [1])
    }
  }
}
