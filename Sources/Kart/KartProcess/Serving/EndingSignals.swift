/// What the signals that ask a process to end mean, as they come.
///
/// ```
///   running ── signal ──▶ ending ── another signal, or the same one later ──▶ ended at once
/// ```
/// Whoever ends a whole group of processes often does so twice: a service manager signals the
/// supervisor and its children, and the supervisor signals the children as well. So the same signal
/// within a moment is the same request.
struct EndingSignals {
  enum Meaning: Hashable {
    case end
    /// The same request, told again.
    case repeated
    case endAtOnce
  }

  /// How long the same signal counts as one.
  static let moment = Duration.seconds(1)

  private var first: (signal: Int32, time: ContinuousClock.Instant)?

  /// Takes a signal.
  ///
  /// - Parameters:
  ///   - signal: Its number.
  ///   - now: When it came.
  mutating func take(_ signal: Int32, at now: ContinuousClock.Instant) -> Meaning {
    guard let first else {
      first = (signal, now)
      return .end
    }
    return signal == first.signal && first.time.duration(to: now) < Self.moment
      ? .repeated : .endAtOnce
  }
}
