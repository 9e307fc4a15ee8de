import RaceControl

/// Replays a capture of an RMonitor feed at its own pace, or faster.
///
/// It only says when: the caller waits. What is in each batch depends on the capture alone, so that
/// a replay that is begun again numbers its batches the same, whatever its speed.
public struct RMonitorReplay: Sendable {
  /// What to send next.
  public struct Step: Hashable, Sendable {
    /// How long after the step before.
    public var delay: Duration
    /// What to send.
    public var batch: Batch
  }

  private let speed: ReplaySpeed
  private var lines: ArraySlice<RMonitorLine>
  private var session: RMonitorSession
  private var clock = CaptureClock()
  /// When a line without a stamp before it counts as received.
  private var now: UTCInstant
  private var stamp: UTCInstant?
  /// Waited for since the step before.
  private var delay = Duration.zero
  private var isFinished = false

  /// A replay from the beginning.
  ///
  /// - Parameters:
  ///   - capture: The bytes of the feed, with a relay's stamps or without.
  ///   - speed: How fast.
  ///   - session: What the capture's sessions are.
  ///   - start: When it begins. A capture with stamps keeps its own times.
  public init(
    of capture: some Sequence<UInt8>, speed: ReplaySpeed, session: Observation.SessionStart,
    start: UTCInstant
  ) {
    var parser = RMonitorParser()
    self.lines = (parser.read(capture) + parser.finish())[...]
    self.speed = speed
    self.session = RMonitorSession(session: session)
    self.now = start
  }

  /// Whether the capture holds any record at all; else it is a file of another kind.
  public static func isCapture(_ capture: some Sequence<UInt8>) -> Bool {
    var parser = RMonitorParser()
    return (parser.read(capture) + parser.finish()).contains { line in
      if case .record = line.content { true } else { false }
    }
  }

  /// What was read so far, and could not be used.
  public var report: RMonitorReport { session.report }

  /// The next batch; `nil` after the last.
  public mutating func next() -> Step? {
    while let line = lines.first {
      let elapsed = clock.elapsed(until: line)
      if elapsed > .zero, let batch = session.takeBatch() {
        // The line belongs to the next batch, and so does the wait for it.
        let step = Step(delay: delay, batch: batch)
        delay = .zero
        take(line, after: elapsed)
        return step
      }
      take(line, after: elapsed)
    }
    if !isFinished {
      isFinished = true
      session.finish()
    }
    guard let batch = session.takeBatch() else { return nil }
    defer { delay = .zero }
    return Step(delay: delay, batch: batch)
  }

  private mutating func take(_ line: RMonitorLine, after elapsed: Duration) {
    lines.removeFirst()
    let paced = speed.pace(elapsed)
    delay += paced
    now = now.advanced(by: paced)
    if case .stamp(let next) = line.content { stamp = next }
    session.take(line, receivedAt: stamp ?? now)
  }
}
