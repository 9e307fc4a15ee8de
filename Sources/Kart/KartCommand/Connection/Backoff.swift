/// How long to wait before the next attempt: twice as long after each failure, with jitter, so that
/// the clients of a server that was restarted do not all come back at once.
struct Backoff: Sendable {
  private let first: Duration
  private let longest: Duration
  private var next: Duration

  /// - Parameters:
  ///   - first: The wait after the first failure, before jitter.
  ///   - longest: The longest wait, before jitter.
  init(first: Duration = .milliseconds(100), longest: Duration = .seconds(2)) {
    self.first = first
    self.longest = longest
    next = first
  }

  /// The wait after another failure: up to a fifth shorter than its turn.
  ///
  /// - Parameter pushback: What the server asks for, which is waited at least; nil for nothing.
  mutating func wait(pushback: Duration? = nil) -> Duration {
    defer { next = min(next * 2, longest) }
    return max(next * Double.random(in: 0.8...1), pushback ?? .zero)
  }

  /// An attempt succeeded.
  mutating func reset() {
    next = first
  }
}
