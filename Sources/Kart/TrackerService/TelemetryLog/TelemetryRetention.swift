import KartProcess

/// Has the log forget what it may: of the races that an operator names, every session but the newest
/// two. Nothing of any other race is ever forgotten.
///
/// Each replica does this, and a replica that comes second finds nothing to do.
package struct TelemetryRetention: Sendable {
  /// How many of a race's newest sessions stay: the one that is driven, and the one before it for
  /// those who resume in it.
  static let sessionsKept = 2

  private let log: any TelemetryLog
  private let races: [String]
  private let interval: Duration
  private let clock: any Clock<Duration>
  private let logger: Log

  /// - Parameters:
  ///   - log: The log.
  ///   - races: The races of which old sessions are forgotten.
  ///   - interval: How often.
  ///   - clock: What the interval is measured by.
  ///   - logger: Where it is told.
  package init(
    log: any TelemetryLog, races: [String], interval: Duration = .seconds(60),
    clock: any Clock<Duration> = ContinuousClock(), logger: Log
  ) {
    self.log = log
    self.races = races
    self.interval = interval
    self.clock = clock
    self.logger = logger
  }

  /// Forgets what there is to forget, again and again, until the task is cancelled.
  package func run() async {
    guard !races.isEmpty else { return }
    var outages = races.map { race in
      OutageLog(logger.with(["race": .text(race)]), subject: "forgetting old sessions")
    }
    while !Task.isCancelled {
      for (index, race) in races.enumerated() {
        do {
          try await forgetOldSessions(of: race)
          outages[index].succeeded()
        } catch {
          outages[index].failed(error)
        }
      }
      try? await clock.sleep(for: interval)
    }
  }

  /// Forgets a race's old sessions.
  func forgetOldSessions(of race: String) async throws {
    try await findSessions(of: race)
    var count = 0
    while case let forgotten = try await log.forgetSessions(
      ofRace: race, keeping: Self.sessionsKept), forgotten > 0
    {
      count += forgotten
    }
    if count > 0 {
      logger.info("old sessions forgotten", ["race": .text(race), "batches": LogValue(count)])
    }
  }

  // Where sessions begin is known of races that are followed. Nobody may follow this one.
  private func findSessions(of race: String) async throws {
    let known = try await log.checkpoint(ofRace: race, notAfterEvent: nil)
    var fold = known.map(RaceFold.init(from:)) ?? RaceFold()
    while true {
      let page = try await log.batches(
        ofRace: race, after: fold.position, through: .max, limit: FollowedRace.pageLimit)
      if page.isEmpty { return }
      for batch in page {
        let known = fold.checkpoint
        _ = try fold.apply(batch)
        if let checkpoint = fold.checkpoint, checkpoint != known {
          try await log.save(checkpoint, ofRace: race)
        }
      }
    }
  }
}
