/// How a call is made more than once, if it is.
public struct RPCExecutionPolicy: Sendable, Hashable {
  // Indirect: it is copied with the options of every call.
  private indirect enum Policy: Sendable, Hashable {
    case retry(RetryPolicy)
    case hedge(HedgingPolicy)
  }

  private let policy: Policy

  /// Makes the call again when it has failed.
  public static func retry(_ policy: RetryPolicy) -> RPCExecutionPolicy {
    RPCExecutionPolicy(policy: .retry(policy))
  }

  /// Makes the call again when its answer takes long.
  public static func hedge(_ policy: HedgingPolicy) -> RPCExecutionPolicy {
    RPCExecutionPolicy(policy: .hedge(policy))
  }

  /// The policy of retries, if it is one.
  public var retry: RetryPolicy? {
    if case .retry(let policy) = policy { policy } else { nil }
  }

  /// The policy of hedging, if it is one.
  public var hedge: HedgingPolicy? {
    if case .hedge(let policy) = policy { policy } else { nil }
  }
}
