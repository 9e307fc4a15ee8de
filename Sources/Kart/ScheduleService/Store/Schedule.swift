import EventLoop
import KartProcess
import SQLite

/// The schedule of races. Its database blocks, so it has a thread of its own; what is asked most, the
/// races to come, is answered from memory.
package actor Schedule {
  // A message has at most 4 MiB.
  private static let maximumAnswer = 4 << 20 - 64

  private let thread: EventLoop
  private let store: ScheduleStore
  private var outage: OutageLog
  private nonisolated let answers = UpcomingRacesCache()

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    thread.asUnownedSerialExecutor()
  }

  /// Opens the schedule, and makes it where there is none.
  ///
  /// - Parameters:
  ///   - path: The database file, in a folder that exists.
  ///   - thread: What the database may block.
  ///   - logger: Where it is told that writing fails.
  /// - Throws: `SQLiteError`.
  package init(path: String, thread: EventLoop, logger: Log) throws {
    self.thread = thread
    outage = OutageLog(logger, subject: "writing the schedule")
    store = try ScheduleStore(path: path)
  }

  /// Leaves the whole schedule in its database file, for those who copy it. Where that fails, the rest
  /// stays in the write-ahead log beside it, which the next opening reads.
  package func close() {
    try? store.checkpoint()
  }

  /// The serialized `ListRacesResponse` of the races that are not finished.
  ///
  /// - Parameter limit: How many at most; not negative.
  /// - Throws: `ScheduleFailure.tooMany` where so many are larger than a message may be.
  nonisolated func upcomingRaces(limit: Int32) async throws -> [UInt8] {
    if let answer = answers[limit] { return answer }
    return try await readUpcomingRaces(limit: limit)
  }

  private func readUpcomingRaces(limit: Int32) throws -> [UInt8] {
    var answer: [UInt8] = []
    var count = 0
    try store.forEachUpcoming(limit: Int(limit)) { race in
      guard answer.count + race.count <= Self.maximumAnswer else {
        throw ScheduleFailure.tooMany(asked: limit, possible: count)
      }
      count += 1
      // ListRacesResponse.races: field 1, length-delimited.
      answer.append(1 << 3 | 2)
      var length = race.count
      while length > 0x7f {
        answer.append(UInt8(truncatingIfNeeded: length) | 0x80)
        length >>= 7
      }
      answer.append(UInt8(length))
      answer += race
    }
    answers.insert(answer, limit: limit)
    return answer
  }

  func race(named name: String) throws -> StoredRace {
    guard let race = try store.race(named: name) else {
      throw ScheduleFailure.notFound(name: name)
    }
    return race
  }

  /// A page of all races, and the token for the next one where there is one.
  ///
  /// - Parameters:
  ///   - limit: How many races at most.
  ///   - size: How many bytes of races, though at least one race.
  func races(
    after last: SchedulePageToken?, limit: Int, bytes size: Int = .max
  ) throws -> (page: [StoredRace], next: SchedulePageToken?) {
    let races = try store.races(after: last, limit: limit + 1)
    var bytes = 0
    let page = races.prefix(limit).prefix { race in
      defer { bytes += race.message.count }
      return bytes == 0 || bytes + race.message.count <= size
    }
    guard page.count < races.count else { return (races, nil) }
    return (Array(page), page.last.map(SchedulePageToken.init(after:)))
  }

  func create(_ race: StoredRace) throws {
    try change {
      guard try store.race(named: race.name) == nil else {
        throw ScheduleFailure.alreadyExists(name: race.name)
      }
      try store.put(race)
    }
  }

  /// Replaces a race. Whether it is finished stays as it was.
  func update(_ race: StoredRace) throws -> StoredRace {
    try change {
      var race = race
      race.finishedAt = try self.race(named: race.name).finishedAt
      try store.put(race)
      return race
    }
  }

  func delete(name: String) throws {
    try change {
      guard try store.delete(name: name) else { throw ScheduleFailure.notFound(name: name) }
    }
  }

  /// Marks a race as finished. One that is already stays as it was.
  func finish(name: String, at moment: StoredRace.Moment) throws -> StoredRace {
    try change {
      var race = try race(named: name)
      guard race.finishedAt == nil else { return race }
      race.finishedAt = moment
      try store.put(race)
      return race
    }
  }

  /// Adds races and replaces those of the same name, all of them or none.
  func importRaces(_ races: [StoredRace]) throws -> (created: Int, replaced: Int) {
    try change {
      var replaced = 0
      for race in races {
        if try store.race(named: race.name) != nil { replaced += 1 }
        try store.put(race)
      }
      return (races.count - replaced, replaced)
    }
  }

  private func change<Result>(_ body: () throws -> Result) throws -> Result {
    // Also where it throws: a commit may have failed only in the telling.
    defer { answers.removeAll() }
    do {
      let result = try store.transaction(body)
      outage.succeeded()
      return result
    } catch let error as SQLiteError {
      outage.failed(error)
      throw error
    }
  }
}
