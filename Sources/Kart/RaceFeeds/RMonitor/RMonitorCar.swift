/// What is known of a competitor, as it was last told to race control.
struct RMonitorCar: Sendable {
  typealias Competitor = RMonitorRecord.Competitor

  /// `nil` while only results of this registration were seen.
  var entry: Competitor?
  /// Whether the entry is made up from the registration: the feed has not told it.
  var isProvisional = false
  /// Assigned with the entry.
  var kartNumber: Int32 = 0
  var laps: Int32 = 0
  /// The session's time at the last crossing; `nil` before the first.
  var totalTime: Duration?
  var bestLap: RMonitorRecord.BestLap?
  /// Whether it crossed the line after the last heartbeat.
  var crossedSinceHeartbeat = false
  /// A result with fewer laps, which counts unless the feed takes it back at once.
  var doubted: Doubted?

  struct Doubted: Sendable {
    var laps: Int32
    var totalTime: Duration
    /// How many heartbeats it has outlived.
    var heartbeats = 0
  }

  var hasResult: Bool { totalTime != nil }

  /// Forgets the results, for another session, and an entry that was made up for them.
  mutating func clearResults() {
    self = isProvisional ? RMonitorCar() : RMonitorCar(entry: entry, kartNumber: kartNumber)
  }
}
