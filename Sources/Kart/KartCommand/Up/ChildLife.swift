/// What one child of the mesh is doing, and what is to be done about it.
///
/// ```
///           started           exited             waitEnded
///   idle ───────────▶ running ──────▶ waiting ─────────────▶ idle (spawn)
///                        │               │
///                      stop            stop
///                        ▼               ▼
///                    stopping ──────▶ stopped
///                             exited
/// ```
struct ChildLife: Sendable {
  /// How soon a child that died is started again.
  struct Backoff: Sendable {
    /// The wait after the first death.
    var first: Duration = .milliseconds(50)
    /// The longest wait; each death doubles it up to here.
    var longest: Duration = .seconds(2)
    /// A child that ran this long begins again with `first`.
    var forgivenAfter: Duration = .seconds(5)
  }

  enum State: Hashable, Sendable {
    case idle
    case running(since: ContinuousClock.Instant)
    case waiting
    case stopping
    case stopped
  }

  enum Action: Hashable, Sendable {
    case spawn
    case wait(Duration)
    case terminate
    case kill
  }

  private(set) var state = State.idle
  private let backoff: Backoff
  private var nextWait: Duration

  init(backoff: Backoff = Backoff()) {
    self.backoff = backoff
    nextWait = backoff.first
  }

  var hasStopped: Bool {
    state == .stopped
  }

  mutating func started(at now: ContinuousClock.Instant) {
    guard state == .idle else { return }
    state = .running(since: now)
  }

  /// The process is gone, or could not be started at all.
  mutating func exited(at now: ContinuousClock.Instant) -> Action? {
    switch state {
    case .running(let start):
      if now - start >= backoff.forgivenAfter { nextWait = backoff.first }
      return pause()
    case .idle:
      return pause()
    case .stopping:
      state = .stopped
      return nil
    case .waiting, .stopped:
      return nil
    }
  }

  mutating func waitEnded() -> Action? {
    guard state == .waiting else { return nil }
    state = .idle
    return .spawn
  }

  mutating func stop() -> Action? {
    switch state {
    case .running:
      state = .stopping
      return .terminate
    case .idle, .waiting:
      state = .stopped
      return nil
    case .stopping, .stopped:
      return nil
    }
  }

  /// The time is up that a child has to end by itself.
  func graceEnded() -> Action? {
    state == .stopping ? .kill : nil
  }

  private mutating func pause() -> Action {
    defer { nextWait = min(nextWait * 2, backoff.longest) }
    state = .waiting
    return .wait(nextWait)
  }
}
