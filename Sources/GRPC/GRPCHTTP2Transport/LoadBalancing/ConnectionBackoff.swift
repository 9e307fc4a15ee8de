/// How long a subchannel waits between two attempts to connect.
///
/// See gRPC's "Connection Backoff Protocol". A wait is counted from the start of the attempt that failed.
public struct ConnectionBackoff: Sendable, Hashable {
  /// The wait after the first failure.
  public var initial: Duration

  /// The longest wait, before jitter.
  public var maximum: Duration

  /// What each further failure multiplies the wait by.
  public var multiplier: Double

  /// How far a wait is moved at random, up and down, as a fraction of it.
  public var jitter: Double

  /// Makes a backoff. The default values are the protocol's own.
  ///
  /// - Parameters:
  ///   - initial: The wait after the first failure.
  ///   - maximum: The longest wait, before jitter.
  ///   - multiplier: What each further failure multiplies the wait by.
  ///   - jitter: How far a wait is moved at random, as a fraction of it.
  public init(
    initial: Duration = .seconds(1), maximum: Duration = .seconds(120),
    multiplier: Double = 1.6, jitter: Double = 0.2
  ) {
    self.initial = initial
    self.maximum = maximum
    self.multiplier = multiplier
    self.jitter = jitter
  }

  /// The wait after a number of failures in a row.
  ///
  /// - Parameters:
  ///   - failures: How many attempts failed in a row, at least 1.
  ///   - generator: Chooses the jitter.
  /// - Returns: The wait.
  func wait(
    afterFailures failures: Int, using generator: inout some RandomNumberGenerator
  ) -> Duration {
    var wait = initial
    var remaining = failures - 1
    while remaining > 0 && wait < maximum && multiplier > 1 {
      wait = wait.times(multiplier, atMost: maximum)
      remaining -= 1
    }
    wait = min(wait, maximum)
    guard jitter > 0 else { return wait }
    return wait * Double.random(in: max(0, 1 - jitter)...(1 + jitter), using: &generator)
  }
}

extension Duration {
  /// The product, or the limit if that is less, whatever the factor: a duration has its largest value.
  func times(_ factor: Double, atMost limit: Duration) -> Duration {
    self / limit * factor < 1 ? self * factor : limit
  }
}
