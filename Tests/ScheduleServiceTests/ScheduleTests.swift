import EventLoop
import KartProcess
import KartTesting
import Testing

@testable import ScheduleService

@Suite struct ScheduleTests {
  let folder: TemporaryFolder
  let schedule: Schedule

  init() throws {
    folder = TemporaryFolder()
    schedule = try Schedule(
      path: folder.file("schedule.sqlite"), thread: EventLoopGroup.shared.next(),
      logger: Log("test", write: { _ in }))
  }

  private func race(_ name: String, start: Int64, nanoseconds: Int32 = 0) -> StoredRace {
    StoredRace(
      name: name, start: .init(seconds: start, nanoseconds: nanoseconds),
      message: Array(name.utf8), finishedAt: nil)
  }

  private func upcoming(_ limit: Int32 = 100) async throws -> [String] {
    // Short names, so that each field is a tag, a length of one byte and the name.
    var rest = try await schedule.upcomingRaces(limit: limit)[...]
    var names: [String] = []
    while rest.popFirst() == 0x0a, let count = rest.popFirst() {
      names.append(String(decoding: rest.prefix(Int(count)), as: UTF8.self))
      rest = rest.dropFirst(Int(count))
    }
    return names
  }

  @Test func upcomingRacesAreOrderedByStartThenName() async throws {
    let races = [
      race("d", start: 2), race("b", start: 1), race("c", start: 1, nanoseconds: 5),
      race("a", start: 1), race("early", start: -1),
    ]
    for race in races { try await schedule.create(race) }
    #expect(try await upcoming() == ["early", "a", "b", "c", "d"])
    #expect(try await upcoming(2) == ["early", "a"])
    #expect(try await upcoming(0) == [])
    #expect(try await upcoming(.max).count == 5)
  }

  @Test func everyChangeIsSeenInTheNextList() async throws {
    try await schedule.create(race("a", start: 1))
    try await schedule.create(race("b", start: 2))
    #expect(try await upcoming() == ["a", "b"])
    _ = try await schedule.update(race("a", start: 3))
    #expect(try await upcoming() == ["b", "a"])
    _ = try await schedule.finish(name: "b", at: .init(seconds: 9, nanoseconds: 1))
    #expect(try await upcoming() == ["a"])
    try await schedule.delete(name: "a")
    #expect(try await upcoming() == [])
    _ = try await schedule.importRaces([race("c", start: 1), race("b", start: 2)])
    #expect(try await upcoming() == ["c", "b"])
  }

  @Test func aMessageLongerThanALengthByteIsFramedRight() async throws {
    let long = String(repeating: "x", count: 300)
    try await schedule.create(race(long, start: 1))
    let answer = try await schedule.upcomingRaces(limit: 1)
    #expect(answer == [0x0a, 0xac, 0x02] + Array(long.utf8))
  }

  @Test func moreThanAMessageHoldsIsRefusedWithWhatItHolds() async throws {
    let large = (0..<5).map { index in
      StoredRace(
        name: "\(index)", start: .init(seconds: 1, nanoseconds: 0),
        message: [UInt8](repeating: 7, count: 1 << 20), finishedAt: nil)
    }
    _ = try await schedule.importRaces(large)
    let error = await #expect(throws: ScheduleFailure.self) {
      try await schedule.upcomingRaces(limit: 2_000)
    }
    #expect(error == .tooMany(asked: 2_000, possible: 3))
    #expect(error?.rpcErrorCode == .outOfRange)
    #expect(error?.rpcErrorMessage.hasSuffix("ask for a limit of 3.") == true)
    #expect(try await schedule.upcomingRaces(limit: 3).count > 3 << 20)
  }

  @Test func aCacheOfAnswersIsBounded() {
    let cache = UpcomingRacesCache()
    for limit in 1...Int32(16) { cache.insert([1], limit: limit) }
    #expect(cache[1] == [1])
    cache.insert([1], limit: 17)
    #expect(cache[1] == nil)
    let large = [UInt8](repeating: 1, count: 6 << 20)
    for limit in 1...Int32(3) { cache.insert(large, limit: limit) }
    #expect(cache[17] == nil)
    #expect(cache[3] == large)
  }

  @Test func namesAreToldApartByTheirBytes() async throws {
    let names = ["Caf\u{e9} Cup", "Cafe\u{301} Cup"]
    for (start, name) in zip(Int64(1)..., names) {
      try await schedule.create(race(name, start: start))
    }
    let found = try await upcoming()
    #expect(found.map { Array($0.utf8) } == names.map { Array($0.utf8) })
  }

  @Test func finishingTwiceKeepsTheFirstTime() async throws {
    try await schedule.create(race("a", start: 1))
    let first = try await schedule.finish(name: "a", at: .init(seconds: 5, nanoseconds: 0))
    let second = try await schedule.finish(name: "a", at: .init(seconds: 6, nanoseconds: 0))
    #expect(first == second)
    #expect(first.finishedAt?.seconds == 5)
    #expect(try await schedule.update(race("a", start: 2)).finishedAt?.seconds == 5)
  }

  @Test func whatIsMissingOrTakenIsRefused() async throws {
    try await schedule.create(race("a", start: 1))
    await #expect(throws: ScheduleFailure.alreadyExists(name: "a")) {
      try await schedule.create(race("a", start: 2))
    }
    let missing = ScheduleFailure.notFound(name: "b")
    await #expect(throws: missing) { _ = try await schedule.race(named: "b") }
    await #expect(throws: missing) { _ = try await schedule.update(race("b", start: 1)) }
    await #expect(throws: missing) { try await schedule.delete(name: "b") }
    await #expect(throws: missing) {
      _ = try await schedule.finish(name: "b", at: .init(seconds: 1, nanoseconds: 0))
    }
    #expect(try await schedule.race(named: "a").start.seconds == 1)
  }

  @Test func pagesCoverTheWholeScheduleOnce() async throws {
    let names = (0..<10).map { "race \($0)" }
    _ = try await schedule.importRaces(names.map { race($0, start: 7) })
    var seen: [String] = []
    var token: SchedulePageToken?
    repeat {
      let (page, next) = try await schedule.races(after: token, limit: 4)
      seen += page.map(\.name)
      // As it travels: by its text.
      token = next.flatMap { SchedulePageToken($0.text) }
    } while token != nil
    #expect(seen == names)
  }

  @Test(arguments: ["", "1", "1.2", "1.2.", "x.2.name", "1.99999999999.name"])
  func anythingElseIsNoPageToken(text: String) {
    #expect(SchedulePageToken(text) == nil)
  }

  @Test func theScheduleSurvivesReopening() async throws {
    try await schedule.create(race("a", start: 1))
    let reopened = try Schedule(
      path: folder.file("schedule.sqlite"), thread: EventLoopGroup.shared.next(),
      logger: Log("test", write: { _ in }))
    #expect(try await reopened.race(named: "a").message == Array("a".utf8))
  }
}
