import EventLoop

/// Reads the telemetry log, and looks for what is new while someone waits for it.
actor TelemetryLogReader {
  // What one answer to a wait holds at most, in bytes.
  private static let nextLimit = 1 << 20

  private struct Sleeper {
    var waiter: CheckedContinuation<Void, Never>
    var timer: Task<Void, Never>
  }

  private let thread: EventLoop
  private let store: TelemetryStore
  private let pollInterval: Duration
  private let clock: any Clock<Duration>
  // The version of the log in which nothing was found, and after which position.
  private var seen: (version: Int64, end: LogPosition)?
  private var sleepers: [UInt64: Sleeper] = [:]
  private var sleeps: UInt64 = 0
  // Set by an append that came while nobody slept.
  private var hasNews = false

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    thread.asUnownedSerialExecutor()
  }

  init(
    path: String, pollInterval: Duration, clock: any Clock<Duration>, thread: EventLoop
  ) throws {
    self.thread = thread
    self.pollInterval = pollInterval
    self.clock = clock
    store = try TelemetryStore(path: path)
  }

  func progress(ofProducer producer: String, inRace race: String) throws -> UInt64 {
    try store.progress(ofProducer: producer, inRace: race)
  }

  func head() throws -> LogPosition {
    try store.head()
  }

  func batches(
    ofRace race: String, after position: LogPosition, through last: LogPosition, limit: Int
  ) throws -> [LoggedBatch] {
    try store.batches(ofRace: race, after: position, through: last, limit: limit)
  }

  func checkpoint(ofRace race: String, notAfterEvent event: UInt64?) throws -> RaceCheckpoint? {
    try store.checkpoint(ofRace: race, notAfterEvent: event)
  }

  func next(after position: LogPosition, patience: Duration) async throws -> [LoggedBatch] {
    var waited = Duration.zero
    while true {
      let batches = try look(after: position)
      if !batches.isEmpty || waited >= patience { return batches }
      try Task.checkCancellation()
      waited += await sleep()
    }
  }

  /// Has every waiting `next` look at once.
  func lookNow() {
    hasNews = true
    for id in sleepers.keys {
      wake(id)
    }
  }

  // Asks for the log's version first, which costs a look into shared memory and no query.
  private func look(after position: LogPosition) throws -> [LoggedBatch] {
    hasNews = false
    let version = try store.version()
    if let seen, seen.version == version, position >= seen.end { return [] }
    let batches = try store.batches(after: position, limit: Self.nextLimit)
    if batches.isEmpty {
      seen = (version, position)
    }
    return batches
  }

  // Sleeps for the poll interval or until there is news, and tells how long that counts for.
  private func sleep() async -> Duration {
    guard !hasNews else { return .zero }
    await withCheckedContinuation { waiter in
      // News may have come since the look.
      if hasNews {
        waiter.resume()
      } else {
        wait(waiter)
      }
    }
    return pollInterval
  }

  private func wait(_ waiter: CheckedContinuation<Void, Never>) {
    sleeps += 1
    let id = sleeps
    let timer = Task { [clock, pollInterval] in
      try? await clock.sleep(for: pollInterval)
      wake(id)
    }
    sleepers[id] = Sleeper(waiter: waiter, timer: timer)
  }

  private func wake(_ id: UInt64) {
    guard let sleeper = sleepers.removeValue(forKey: id) else { return }
    sleeper.timer.cancel()
    sleeper.waiter.resume()
  }
}
