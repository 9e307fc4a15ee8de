import GRPCCore

/// Decides whether a call that has failed is made again, and after which wait.
///
/// See gRPC's proposal A6.
struct CallRetry: Sendable {
  /// What the server says of making the call again, in `grpc-retry-pushback-ms`.
  enum Pushback: Hashable, Sendable {
    case nothing
    case after(Duration)
    /// Not again.
    case never

    /// Reads the field; what is no number from zero on means not again.
    init(milliseconds: Int?) {
      self = milliseconds.map { $0 >= 0 ? .after(.milliseconds($0)) : .never } ?? .never
    }
  }

  /// However many attempts a policy wants.
  static let mostAttempts = 5

  private let policy: RetryPolicy
  /// Attempts so far, the present one included.
  private(set) var attempts = 1
  /// Waits since the first attempt, or since the server has named one.
  private var waits = 0

  init(_ policy: RetryPolicy) {
    self.policy = policy
  }

  /// Notes that an attempt has failed before its response began.
  ///
  /// - Returns: How long to wait before the next, or nil if the call has failed.
  mutating func wait(
    after code: Status.Code, _ pushback: Pushback, throttle: RetryThrottle?,
    using generator: inout some RandomNumberGenerator
  ) -> Duration? {
    let isRetryable = policy.retryableStatusCodes.contains(code)
    guard isRetryable || pushback == .never else { return nil }
    let isPermitted = throttle?.recordFailure() ?? true
    guard isRetryable, isPermitted, attempts < min(policy.maxAttempts, Self.mostAttempts) else {
      return nil
    }
    switch pushback {
    case .never:
      return nil
    case .after(let wait):
      attempts += 1
      waits = 0
      return wait
    case .nothing:
      attempts += 1
      var wait = policy.initialBackoff
      for _ in 0..<waits where wait < policy.maxBackoff {
        wait = wait.times(policy.backoffMultiplier, atMost: policy.maxBackoff)
      }
      waits += 1
      return min(wait, policy.maxBackoff) * Double.random(in: 0.8...1.2, using: &generator)
    }
  }
}
