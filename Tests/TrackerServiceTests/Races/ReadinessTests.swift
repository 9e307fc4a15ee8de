import KartProcess
import KartTesting
import Synchronization
import Testing

@testable import TrackerService

@Suite struct ReadinessTests {
  private struct Unreadable: Error {}

  /// A log that can be broken and mended.
  private final class BrittleLog: TelemetryLog {
    private let log: SQLiteTelemetryLog
    private let broken = Mutex(false)

    init(_ log: SQLiteTelemetryLog) { self.log = log }

    var isBroken: Bool {
      get { broken.withLock { $0 } }
      set { broken.withLock { $0 = newValue } }
    }

    private func readable() throws -> SQLiteTelemetryLog {
      if isBroken { throw Unreadable() }
      return log
    }

    func append(_ batches: [TelemetryBatch]) async throws -> [AppendOutcome] {
      try await readable().append(batches)
    }

    func progress(ofProducer producer: String, inRace race: String) async throws -> UInt64 {
      try await readable().progress(ofProducer: producer, inRace: race)
    }

    func batches(
      ofRace race: String, after position: LogPosition, through last: LogPosition, limit: Int
    ) async throws -> [LoggedBatch] {
      try await readable().batches(ofRace: race, after: position, through: last, limit: limit)
    }

    func head() async throws -> LogPosition { try await readable().head() }

    func next(after position: LogPosition, patience: Duration) async throws -> [LoggedBatch] {
      try await readable().next(after: position, patience: patience)
    }

    func checkpoint(
      ofRace race: String, notAfterEvent event: UInt64?
    ) async throws -> RaceCheckpoint? {
      try await readable().checkpoint(ofRace: race, notAfterEvent: event)
    }

    func forgetSessions(ofRace race: String, keeping count: Int) async throws -> Int {
      try await readable().forgetSessions(ofRace: race, keeping: count)
    }

    func save(_ checkpoint: RaceCheckpoint, ofRace race: String) async throws {
      try await readable().save(checkpoint, ofRace: race)
    }
  }

  @Test(arguments: [true, false])
  func aReplicaIsReadyWhileItReadsItsLog(isFollowed: Bool) async throws {
    let race = try RaceLog()
    let log = BrittleLog(race.log)
    log.isBroken = true
    let races = FollowedRaces(
      log: log, loops: .shared, clock: race.clock, logger: Log("test", write: { _ in }))
    if isFollowed { _ = try await races.follow(RaceLog.race) }
    let run = Task { await races.run() }
    defer { run.cancel() }
    // The beat sleeps, and so does the tail where there is one.
    try await race.clock.hurrying(by: .milliseconds(20), whenever: isFollowed ? 2 : 1) {
      var readiness = races.readiness.makeAsyncIterator()
      log.isBroken = false
      #expect(await readiness.next() == true)
      log.isBroken = true
      #expect(await readiness.next() == false)
      log.isBroken = false
      #expect(await readiness.next() == true)
    }
  }
}
