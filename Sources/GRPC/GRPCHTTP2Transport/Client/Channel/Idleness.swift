import GRPCCore

/// Finds out that a channel has had no calls for a while, without being told of each.
///
/// It looks at the channel's counts several times in that while, so that calls themselves cost nothing, and is late by
/// an eighth of it at most.
struct Idleness: Sendable {
  typealias Instant = ContinuousClock.Instant

  private static let looks = 8

  private let timeout: Duration
  /// How many calls had begun at the last look.
  private var started: Int64
  /// Since when there has been no call, for all that is known.
  private var since: Instant

  /// - Parameter started: How many calls have begun so far.
  init(timeout: Duration, started: Int64, now: Instant) {
    // Without any time in between there would be nothing but looks.
    self.timeout = max(timeout, .milliseconds(Self.looks))
    self.started = started
    since = now
  }

  /// When to look first.
  var firstLook: Instant { since + timeout / Self.looks }

  /// Looks whether there are calls now, or were any since the last look.
  ///
  /// - Parameters:
  ///   - started: How many calls have begun so far.
  ///   - hasCalls: Whether one of them has not ended.
  /// - Returns: When to look again, or nil if there have been no calls for so long that the channel is idle.
  mutating func look(now: Instant, started: Int64, hasCalls: Bool) -> Instant? {
    if hasCalls || started != self.started {
      self.started = started
      since = now
    }
    guard now < since + timeout else { return nil }
    return min(since + timeout, now + timeout / Self.looks)
  }
}
