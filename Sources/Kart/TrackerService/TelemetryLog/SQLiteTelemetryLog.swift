import EventLoop
import KartProcess

/// The telemetry log in a SQLite file that the replicas of a machine share.
///
/// It has two connections, each with a thread that it may block: one appends, and one reads meanwhile,
/// which WAL mode lets it do without a wait for the other.
package struct SQLiteTelemetryLog: TelemetryLog {
  private let writer: TelemetryLogWriter
  private let reader: TelemetryLogReader

  /// Opens the log, and makes it where there is none.
  ///
  /// - Parameters:
  ///   - path: The database file, in a folder that exists.
  ///   - pollInterval: How often to look for what other processes have appended, while someone waits.
  ///   - clock: What the interval is measured by.
  ///   - writing: The thread that appending may block.
  ///   - reading: The thread that reading may block.
  ///   - logger: Where it is told that writing fails.
  /// - Throws: `SQLiteError`.
  package init(
    path: String, pollInterval: Duration = .milliseconds(20),
    clock: any Clock<Duration> = ContinuousClock(), writing: EventLoop, reading: EventLoop,
    logger: Log
  ) throws {
    // The writer first: it makes the file.
    writer = try TelemetryLogWriter(path: path, thread: writing, logger: logger)
    reader = try TelemetryLogReader(
      path: path, pollInterval: pollInterval, clock: clock, thread: reading)
  }

  /// Leaves the whole log in its database file, for those who copy it. Where that fails, the rest stays
  /// in the write-ahead log beside it, which the next opening reads.
  package func close() async {
    await writer.close()
  }

  package func append(_ batches: [TelemetryBatch]) async throws -> [AppendOutcome] {
    let outcomes = try await writer.append(batches)
    await reader.lookNow()
    return outcomes
  }

  package func save(_ checkpoint: RaceCheckpoint, ofRace race: String) async throws {
    try await writer.save(checkpoint, ofRace: race)
  }

  package func forgetSessions(ofRace race: String, keeping count: Int) async throws -> Int {
    try await writer.forgetSessions(ofRace: race, keeping: count)
  }

  package func progress(ofProducer producer: String, inRace race: String) async throws -> UInt64 {
    try await reader.progress(ofProducer: producer, inRace: race)
  }

  package func batches(
    ofRace race: String, after position: LogPosition, through last: LogPosition, limit: Int
  ) async throws -> [LoggedBatch] {
    try await reader.batches(ofRace: race, after: position, through: last, limit: limit)
  }

  package func head() async throws -> LogPosition {
    try await reader.head()
  }

  package func next(
    after position: LogPosition, patience: Duration
  ) async throws -> [LoggedBatch] {
    try await reader.next(after: position, patience: patience)
  }

  package func checkpoint(
    ofRace race: String, notAfterEvent event: UInt64?
  ) async throws -> RaceCheckpoint? {
    try await reader.checkpoint(ofRace: race, notAfterEvent: event)
  }
}
