import RaceControl

/// A line of an RMonitor feed that says something.
public struct RMonitorLine: Hashable, Sendable {
  /// Where it begins in the feed, counting from 1.
  public var number: Int
  /// What it says.
  public var content: Content

  /// What a line can say.
  public enum Content: Hashable, Sendable {
    /// A record.
    case record(RMonitorRecord)
    /// A relay's own `##` stamp: when it received what follows.
    case stamp(UTCInstant)
    /// Nothing that can be used.
    case problem(RMonitorProblem)
  }
}
