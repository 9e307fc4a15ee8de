/// Finds out how much a connection carries in one round trip, so that no window holds its sender up.
///
/// A PING is sent while data arrives, and what arrives until its answer is what the sender had on its way. Where
/// that is most of a window, the window may be what held the sender up, and grows; unless it brings no more
/// bandwidth than before, for then it is the path that is full.
///
/// ```
///   resting ──enough data──▶ due ──output──▶ ready ──data──▶ measuring ──answer──▶ resting, or done: the window
///                                                                                  is at its ceiling
/// ```
struct WindowProbe {
  private enum State {
    /// So many bytes came since the last answer.
    case resting(received: Int)
    /// What came was enough. The next burst of data begins when there was a chance to answer the last.
    case due
    case ready
    /// The PING was sent then, and so many bytes came since.
    case measuring(since: ContinuousClock.Instant, received: Int)
    case done
  }

  /// What the PING carries.
  static let payload: UInt64 = 0x7769_6e64_6f77_203f

  /// The window in force, in bytes.
  private(set) var window: Int
  private let ceiling: Int
  private var state: State
  /// How much has to come before a PING is worth its while: more each time that none was.
  private var threshold: Int
  private var bestBandwidth = 0.0

  /// - Parameters:
  ///   - window: The window to begin with, in bytes.
  ///   - ceiling: The largest that it may become.
  init(window: Int, ceiling: Int) {
    self.window = window
    self.ceiling = ceiling
    threshold = window / 4
    state = window < ceiling ? .resting(received: 0) : .done
  }

  /// Takes so many bytes of data.
  ///
  /// - Returns: Whether a PING is to be sent now.
  mutating func didReceive(_ count: Int, at now: () -> ContinuousClock.Instant) -> Bool {
    switch state {
    case .resting(let received):
      state = received + count < threshold ? .resting(received: received + count) : .due
      return false
    case .due:
      return false
    case .ready:
      state = .measuring(since: now(), received: count)
      return true
    case .measuring(let start, let received):
      state = .measuring(since: start, received: received + count)
      return false
    case .done:
      return false
    }
  }

  /// Output was gathered: whatever comes now is of another burst.
  mutating func didProduceOutput() {
    if case .due = state { state = .ready }
  }

  /// Takes the PING's answer.
  ///
  /// - Returns: The window to have from now on; nil if it stays as it is.
  mutating func didReceiveAnswer(at now: ContinuousClock.Instant) -> Int? {
    guard case .measuring(let start, let received) = state else { return nil }
    let bandwidth = Double(received) / max((now - start) / .seconds(1), 1e-6)
    // A window that held the sender up has grown by a third at least, and so would the bandwidth.
    let isMore = bandwidth > 1.1 * bestBandwidth
    bestBandwidth = max(bestBandwidth, bandwidth)
    guard isMore, received >= window / 3 * 2 else {
      threshold = min(2 * threshold, 16 * window)
      state = .resting(received: 0)
      return nil
    }
    window = min(2 * received, ceiling)
    threshold = window / 4
    state = window < ceiling ? .resting(received: 0) : .done
    return window
  }
}
