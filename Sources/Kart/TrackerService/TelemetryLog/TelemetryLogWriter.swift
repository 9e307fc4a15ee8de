import EventLoop
import KartProcess

/// Appends to the telemetry log. Whatever waits when a commit begins goes into that commit, so that many
/// producers share the wait for the disk.
actor TelemetryLogWriter {
  private struct Append {
    var batches: [TelemetryBatch]
    var done: CheckedContinuation<[AppendOutcome], any Error>
  }

  private let thread: EventLoop
  private let store: TelemetryStore
  private var outage: OutageLog
  private var waiting: [Append] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    thread.asUnownedSerialExecutor()
  }

  init(path: String, thread: EventLoop, logger: Log) throws {
    self.thread = thread
    outage = OutageLog(logger, subject: "writing telemetry")
    store = try TelemetryStore(path: path)
  }

  func append(_ batches: [TelemetryBatch]) async throws -> [AppendOutcome] {
    try await withCheckedThrowingContinuation { done in
      waiting.append(Append(batches: batches, done: done))
      guard waiting.count == 1 else { return }
      // It runs after the calls that have come to the thread meanwhile, and takes theirs too.
      Task { commit() }
    }
  }

  func close() {
    try? store.checkpoint()
  }

  func save(_ checkpoint: RaceCheckpoint, ofRace race: String) throws {
    try store.transaction {
      try store.save(checkpoint, ofRace: race)
    }
  }

  // In parts, so that no append waits long.
  func forgetSessions(ofRace race: String, keeping count: Int) throws -> Int {
    try store.transaction {
      try store.forgetSessions(ofRace: race, keeping: count, limit: 1000)
    }
  }

  private func commit() {
    let appends = waiting
    waiting = []
    do {
      let outcomes = try store.transaction {
        try appends.map { append in
          try append.batches.map(store.append)
        }
      }
      outage.succeeded()
      for (append, outcomes) in zip(appends, outcomes) {
        append.done.resume(returning: outcomes)
      }
    } catch {
      outage.failed(error)
      for append in appends {
        append.done.resume(throwing: error)
      }
    }
  }
}
