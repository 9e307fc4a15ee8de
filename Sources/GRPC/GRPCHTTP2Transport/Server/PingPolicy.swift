/// How often a client may ask a server with a PING whether it is still there.
///
/// A PING that comes too early is a strike, and after ``maxStrikes`` of them another closes the connection with
/// `ENHANCE_YOUR_CALM` and the words `too_many_pings`, upon which gRPC's clients ask less often. Sending headers or
/// data wipes the slate: a client that measures what its connection can carry sends PINGs for what it receives.
///
/// See gRPC's "Keepalive" (A8).
public struct PingPolicy: Hashable, Sendable {
  /// The time between two PINGs.
  public var minimumInterval = Duration.seconds(300)
  /// Whether they may come at this rate when there are no calls; if not, one in two hours may.
  public var permitWithoutCalls = false
  /// How many strikes are let pass; nil for any number.
  public var maxStrikes: Int? = 2

  /// Makes gRPC's default policy.
  public init() {}
}

/// Counts a client's PINGs against a ``PingPolicy``.
struct PingStrikes {
  private static let intervalWithoutCalls = Duration.seconds(2 * 60 * 60)

  private let policy: PingPolicy
  private var latest: ContinuousClock.Instant?
  private var strikes = 0

  init(_ policy: PingPolicy) {
    self.policy = policy
  }

  /// Takes a PING.
  ///
  /// - Parameters:
  ///   - hasCalls: Whether there are calls on the connection.
  ///   - hasSentData: Whether headers or data were sent since the PING before.
  ///   - now: When it came.
  /// - Returns: Whether it is one too many.
  mutating func didReceive(
    hasCalls: Bool, hasSentData: Bool, at now: ContinuousClock.Instant
  ) -> Bool {
    defer { latest = now }
    guard !hasSentData, let latest else {
      strikes = 0
      return false
    }
    let interval =
      hasCalls || policy.permitWithoutCalls ? policy.minimumInterval : Self.intervalWithoutCalls
    guard now - latest < interval else { return false }
    strikes += 1
    return policy.maxStrikes.map { strikes > $0 } ?? false
  }
}
