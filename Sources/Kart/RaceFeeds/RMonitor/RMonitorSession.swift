import RaceControl

/// Turns the records of an RMonitor feed into observations for race control.
///
/// What follows what in such a feed is undefined, updates are not atomic, and much is repeated. So:
/// - `$J` proposes and `$G` confirms. A crossing completes the next lap at once; a race position
///   that says otherwise becomes a correction, one with fewer laps only after it has stood for a
///   heartbeat. Positions in the records are never looked at.
/// - A run begins with the first sign of life after its `$B`, so that the last one's order stays
///   until then. The session's kind and distance are the organiser's, not the feed's.
/// - A competitor with results but no entry is shown under its registration.
/// - `$I` counts only if a refresh follows, and the refresh is compared as a whole with what is
///   known: it changes what it contradicts, and nothing if it contradicts nothing.
///
/// ```
///                 $I                    $A, $COMP
///   live ──────────────────▶ cleared ────────────────▶ refreshing
///    ▲                          │                          │
///    │  anything else (a lone $I is ignored)               │
///    ├──────────────────────────┘                          │
///    └─────────────────────────────────────────────────────┘
///       as soon as the refresh agrees with what is known, or after two heartbeats
/// ```
public struct RMonitorSession: Sendable {
  enum Phase: Sendable {
    case live
    /// `heartbeats` may come between a clear and its refresh: one.
    case cleared(heartbeats: Int)
    case refreshing(RMonitorRefresh)
  }

  /// What the sessions of the feed are, as configured.
  public let session: Observation.SessionStart
  /// What was read and could not be used so far.
  public internal(set) var report = RMonitorReport()

  var phase = Phase.live
  var run: String?
  /// By registration.
  var cars: [String: RMonitorCar] = [:]
  /// The registrations in the order they were first seen.
  var order: [String] = []
  var numbering = KartNumbering()
  /// Whether the run has shown no sign of life yet.
  var awaitsStart = true
  var flag: Flag?
  /// From when the finish flag is shown, where that is known.
  var flagShownFrom: Duration?
  /// When the line at hand was received, and its number.
  var receivedAt = UTCInstant(seconds: 0)
  var lineNumber = 0
  /// Observed and not yet taken.
  var observations: [Observation] = []

  /// No competitor laps in less: two crossings within it are one that was read, or told, twice.
  static let shortestLap = Duration.seconds(1)

  /// A reader for a feed whose sessions are `session`.
  public init(session: Observation.SessionStart) {
    self.session = session
  }

  /// Takes in the next line of the feed.
  ///
  /// - Parameters:
  ///   - line: From an ``RMonitorParser``.
  ///   - receivedAt: When it was received. The feed's own time of day has no zone.
  public mutating func take(_ line: RMonitorLine, receivedAt: UTCInstant) {
    self.receivedAt = receivedAt
    self.lineNumber = line.number
    switch line.content {
    case .record(let record):
      report.noteRecord()
      take(record)
    case .problem(let problem): report.note(problem)
    case .stamp: break
    }
  }

  /// Settles what waits for more of a feed that has ended.
  public mutating func finish() {
    switch phase {
    case .live: break
    case .cleared: report.loneClears += 1
    case .refreshing(let refresh): settle(refresh)
    }
    phase = .live
    for registration in order { settleDoubt(of: registration, after: 0) }
  }

  /// What was observed since the last batch, if anything.
  public mutating func takeBatch() -> Batch? {
    guard !observations.isEmpty else { return nil }
    defer { observations.removeAll() }
    return Batch(observations)
  }

  private mutating func take(_ record: RMonitorRecord) {
    switch (phase, record) {
    case (_, .clear): phase = .cleared(heartbeats: 0)
    case (.cleared, .competitor):
      phase = .live
      refresh(RMonitorRefresh(), with: record)
    case (.cleared(heartbeats: 0), .heartbeat):
      phase = .cleared(heartbeats: 1)
      takeLive(record)
    case (.cleared, _):
      report.loneClears += 1
      phase = .live
      takeLive(record)
    case (.refreshing(let refresh), _):
      // Not to be copied while it is changed.
      phase = .live
      self.refresh(refresh, with: record)
    case (.live, _): takeLive(record)
    }
  }

  mutating func takeLive(_ record: RMonitorRecord) {
    if let registration = record.registration, !admits(registration) { return }
    switch record {
    case .heartbeat(let heartbeat): take(heartbeat)
    case .competitor(let competitor): enter(competitor)
    case .run(let number, _): take(run: number)
    case .racePosition(let result): confirm(result)
    case .bestLap(let best): take(best)
    case .crossing(let crossing): take(crossing)
    case .correction(let result): correct(result)
    case .lapHistory(let result): takeHistory(result)
    case .clear, .category, .setting, .relayNote: break
    }
  }

  mutating func observe(_ kind: Observation.Kind) {
    observations.append(Observation(observedAt: receivedAt, kind: kind))
  }

  /// Observes what voids all that was observed of the session, which then need not be told: a feed that
  /// changes its mind with every record makes no endless batch.
  mutating func observeClear() {
    let start = observations.lastIndex { observation in
      if case .sessionStart = observation.kind { true } else { false }
    }
    observations.removeSubrange((start.map { $0 + 1 } ?? 0)...)
    observe(.sessionClear)
  }

  mutating func observeStart() {
    observations.removeAll()
    observe(.sessionStart(session))
  }

  mutating func note(_ reason: RMonitorProblem.Reason, _ detail: String) {
    report.note(RMonitorProblem(line: lineNumber, reason: reason, detail: detail))
  }
}
