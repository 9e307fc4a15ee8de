/// How often something may happen: so many times at once, and then so many times a second.
public struct RateLimit: Hashable, Sendable {
  /// How many times it may happen at once.
  public var burst: Int
  /// How many times a second it may happen for good.
  public var perSecond: Int

  /// Makes a limit.
  ///
  /// - Parameters:
  ///   - burst: How many times it may happen at once.
  ///   - perSecond: How many times a second it may happen for good.
  public init(burst: Int, perSecond: Int) {
    self.burst = burst
    self.perSecond = perSecond
  }
}

/// What is left of a ``RateLimit``: a bucket of tokens, which fills up with time.
struct TokenBucket {
  private let limit: RateLimit
  private var tokens: Double
  private var filled: ContinuousClock.Instant

  init(_ limit: RateLimit, at now: ContinuousClock.Instant) {
    self.limit = limit
    tokens = Double(limit.burst)
    filled = now
  }

  /// Takes a token; false if there is none.
  mutating func take(at now: ContinuousClock.Instant) -> Bool {
    if tokens < Double(limit.burst) {
      tokens = min(
        Double(limit.burst), tokens + (now - filled) / .seconds(1) * Double(limit.perSecond))
    }
    filled = now
    guard tokens >= 1 else { return false }
    tokens -= 1
    return true
  }
}
