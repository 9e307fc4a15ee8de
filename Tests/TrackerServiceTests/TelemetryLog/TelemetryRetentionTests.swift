import KartProcess
import KartTesting
import Testing

@testable import TrackerService

@Suite struct TelemetryRetentionTests {
  private let race: RaceLog

  init() throws {
    race = try RaceLog()
  }

  /// Appends a session of so many locations, and tells how many events there are then.
  private func drive(_ ticks: Int) async throws {
    try await race.append([.start()] + (1...ticks).map { .location(kart: 1, tick: $0) })
  }

  private func forget(_ log: SQLiteTelemetryLog? = nil) async throws {
    try await TelemetryRetention(
      log: log ?? race.log, races: [RaceLog.race], logger: Log("test", write: { _ in })
    ).forgetOldSessions(of: RaceLog.race)
  }

  private func positions() async throws -> [LogPosition] {
    try await race.log.batches(ofRace: RaceLog.race, after: 0, through: .max, limit: .max)
      .map(\.position)
  }

  /// Every event after a number that a replay still finds.
  private func replay(after number: UInt64) async throws -> [UInt64] {
    var replay = try await RaceReplay(race: RaceLog.race, after: number, log: race.log)
    var numbers: [UInt64] = []
    while let events = try await replay.next() { numbers += events.map(\.sequence) }
    return numbers
  }

  @Test func theNewestTwoSessionsStay() async throws {
    for _ in 0..<4 { try await drive(4) }
    let all = try await replay(after: 0)
    try await forget()
    #expect(try await positions() == Array(11...20))
    // What is left has the numbers that it had.
    let left = try await replay(after: 0)
    #expect(left == Array(all.suffix(left.count)))
    #expect(left.last == all.last && left.count < all.count)
    #expect(try await replay(after: left[2]) == Array(left[3...]))
  }

  @Test(arguments: [1, 2])
  func nothingIsForgottenOfFewSessions(sessions: Int) async throws {
    for _ in 0..<sessions { try await drive(3) }
    try await forget()
    #expect(try await positions() == Array(1...LogPosition(sessions * 4)))
  }

  @Test func manyBatchesAreForgottenInParts() async throws {
    try await drive(2500)
    try await drive(2)
    try await drive(2)
    try await forget()
    #expect(try await positions() == Array(2502...2507))
  }

  @Test func otherRacesAreLeftAlone() async throws {
    let other = TelemetryBatch(race: "Other", producer: "test", number: 1, record: [])
    _ = try await race.log.append([other])
    for _ in 0..<3 { try await drive(2) }
    try await forget()
    #expect(
      try await race.log.batches(ofRace: "Other", after: 0, through: .max, limit: .max).count == 1)
  }

  @Test func producersGoOnWhereTheyWere() async throws {
    for _ in 0..<3 { try await drive(2) }
    try await forget()
    #expect(try await race.log.progress(ofProducer: "test", inRace: RaceLog.race) == 9)
    try await drive(1)
    #expect(try await positions().last == 11)
  }

  @Test func aReplicaThatComesLateCountsLikeTheOthers() async throws {
    for _ in 0..<3 { try await drive(3) }
    let all = try await replay(after: 0)
    try await forget()
    let followed = FollowedRace(
      name: RaceLog.race, log: race.log, window: .init(events: 100, bytes: 1 << 20),
      loop: .init(name: "race"))
    try await followed.load(through: .max)
    #expect(await followed.head == all.last)
  }

  @Test func aReplicaThatHungMeanwhileReadsAnew() async throws {
    try await drive(3)
    let followed = FollowedRace(
      name: RaceLog.race, log: race.log, window: .init(events: 100, bytes: 1 << 20),
      loop: .init(name: "race"))
    try await followed.load(through: .max)
    for _ in 0..<3 { try await drive(3) }
    let all = try await replay(after: 0)
    try await forget()
    let news = try await race.log.next(after: 4, patience: .zero)
    #expect(news.first?.position == 9)
    #expect(await followed.receive(news) == .mustLoad)
    try await followed.load(through: .max)
    #expect(await followed.head == all.last)
  }

  @Test func aCheckpointThatComesTooLateIsNotKept() async throws {
    for _ in 0..<3 { try await drive(3) }
    let all = try await replay(after: 0)
    try await forget()
    let left = try await race.log.checkpoint(ofRace: RaceLog.race, notAfterEvent: 0)
    try await race.log.save(RaceCheckpoint(position: 0, events: 0), ofRace: RaceLog.race)
    #expect(try await race.log.checkpoint(ofRace: RaceLog.race, notAfterEvent: 0) == left)
    #expect(left?.position == 4 && all.count > 4)
  }

  @Test func aReplayThatIsOvertakenGoesOnWithWhatIsLeft() async throws {
    for _ in 0..<3 { try await drive(3) }
    let all = try await replay(after: 0)
    var replay = try await RaceReplay(race: RaceLog.race, after: 0, log: race.log)
    try await forget()
    var numbers: [UInt64] = []
    while let events = try await replay.next() { numbers += events.map(\.sequence) }
    #expect(numbers == Array(all.suffix(numbers.count)) && !numbers.isEmpty)
    #expect(numbers.count < all.count)
  }
}
