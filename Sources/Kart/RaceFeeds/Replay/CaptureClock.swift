import RaceControl

/// Tells how much time passed between the lines of a capture.
///
/// A relay's stamps tell it best. A capture without them has the time of day in its heartbeats, or
/// else the race time, and between two heartbeats the total times of crossings.
struct CaptureClock: Sendable {
  /// No wait is longer: captures are spliced, and races have lunch breaks.
  static let longestPause = Duration.seconds(10)

  private var stamp: UTCInstant?
  /// The venue's clock at the line before.
  private var reading: Duration?
  /// The venue's clock and the race time at the last heartbeat.
  private var heartbeat: (clock: Duration, raceTime: Duration?)?

  /// The time from the line before to this one; zero where it cannot be told.
  mutating func elapsed(until line: RMonitorLine) -> Duration {
    switch line.content {
    case .stamp(let next):
      defer { stamp = next }
      return Self.limited(stamp?.duration(to: next) ?? .zero)
    case .record(.heartbeat(let heartbeat)) where stamp == nil:
      guard let clock = heartbeat.timeOfDay ?? heartbeat.raceTime else { return .zero }
      self.heartbeat = (clock, heartbeat.raceTime)
      return advance(to: clock)
    case .record(.crossing(let crossing)) where stamp == nil:
      guard let heartbeat, let raceTime = heartbeat.raceTime else { return .zero }
      let since = crossing.totalTime - raceTime
      // Crossings of an earlier time are told again now and then.
      guard (Duration.zero...Duration.seconds(2)).contains(since) else { return .zero }
      return advance(to: heartbeat.clock + since)
    default: return .zero
    }
  }

  private mutating func advance(to next: Duration) -> Duration {
    guard let reading else {
      reading = next
      return .zero
    }
    var elapsed = next - reading
    // The time of day begins again at midnight; a crossing may run ahead of the next heartbeat.
    if elapsed < .seconds(-43_200) { elapsed += .seconds(86_400) }
    guard elapsed < .zero else {
      self.reading = next
      return Self.limited(elapsed)
    }
    if elapsed < .seconds(-2) { self.reading = next }
    return .zero
  }

  private static func limited(_ elapsed: Duration) -> Duration {
    min(max(elapsed, .zero), longestPause)
  }
}
