import Synchronization

/// Keeps a client from making failed calls again when too many fail: servers that are overloaded are not
/// loaded further.
///
/// See gRPC's proposal A6, "Throttling Retry Attempts and Hedged RPCs".
public final class RetryThrottle: Sendable {
  /// Tokens are counted in thousandths.
  private static let scale = 1000

  private let maximum: Int
  private let gain: Int
  private let tokensInThousandths: Atomic<Int>

  /// Creates a throttle with all its tokens.
  ///
  /// - Parameter throttling: How many tokens there are, and what a success gives back.
  public init(_ throttling: ServiceConfig.RetryThrottling) {
    maximum = throttling.maxTokens * Self.scale
    // More than there are tokens at most makes no difference, and may be more than an integer holds.
    gain = Int(min(throttling.tokenRatio, Double(throttling.maxTokens)) * Double(Self.scale))
    tokensInThousandths = Atomic(maximum)
  }

  /// How many tokens are left.
  public var tokens: Double {
    Double(tokensInThousandths.load(ordering: .relaxed)) / Double(Self.scale)
  }

  /// Whether a failed call may be made again.
  public var isRetryPermitted: Bool {
    tokensInThousandths.load(ordering: .relaxed) > maximum / 2
  }

  /// Notes that a call has succeeded.
  public func recordSuccess() {
    change { min(maximum, $0 + gain) }
  }

  /// Notes that a call has failed in a way that could be retried, or that its server wants no retry.
  ///
  /// - Returns: Whether a failed call may be made again.
  @discardableResult
  public func recordFailure() -> Bool {
    change { max(0, $0 - Self.scale) } > maximum / 2
  }

  @discardableResult
  private func change(_ body: (Int) -> Int) -> Int {
    var current = tokensInThousandths.load(ordering: .relaxed)
    while true {
      let changed = body(current)
      let (exchanged, original) = tokensInThousandths.compareExchange(
        expected: current, desired: changed, ordering: .relaxed)
      if exchanged { return changed }
      current = original
    }
  }
}
