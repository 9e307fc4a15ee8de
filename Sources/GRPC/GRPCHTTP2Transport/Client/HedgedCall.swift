import EventLoop
import GRPCCore

/// A call that is made several times: the first answer counts, and the others are given up.
///
/// ```
///   delay over, or a failure that is not fatal ──▶ one more attempt, until there are enough
///   an answer, or a failure that is ─────────────▶ over
///   the last attempt's failure ──────────────────▶ over
/// ```
///
/// Confined to the channel's loop. See gRPC's proposal A6.
final class HedgedCall: @unchecked Sendable {
  private let channel: Channel
  private let policy: HedgingPolicy
  private let makeAttempt:
    (_ number: Int, _ onEnd: @escaping (UnaryCall.Attempt) -> Void) -> UnaryCall
  private let onEnd: (UnaryOutcome<[UInt8]>) -> Void
  private var open: [UnaryCall] = []
  private var started = 0
  private var timer: ScheduledTimer?
  private var isOver = false

  /// Makes a call.
  ///
  /// - Parameters:
  ///   - makeAttempt: Makes an attempt; the first has the number 0.
  ///   - onEnd: Called once, with the call's outcome.
  init(
    _ policy: HedgingPolicy, on channel: Channel,
    makeAttempt:
      @escaping (_ number: Int, _ onEnd: @escaping (UnaryCall.Attempt) -> Void) -> UnaryCall,
    onEnd: @escaping (UnaryOutcome<[UInt8]>) -> Void
  ) {
    self.policy = policy
    self.channel = channel
    self.makeAttempt = makeAttempt
    self.onEnd = onEnd
  }

  private var mayStart: Bool {
    started < min(policy.maxAttempts, CallRetry.mostAttempts)
      && (started == 0 || channel.throttle?.isRetryPermitted != false)
  }

  /// Makes the first attempt, or the next one.
  func startNext() {
    guard !isOver, mayStart else { return }
    timer?.cancel()
    let number = started
    started += 1
    if number > 0 { channel.counters.hedges += 1 }
    let attempt = makeAttempt(number) { [self] in attemptDidEnd($0) }
    open.append(attempt)
    if mayStart { wait(policy.hedgingDelay) }
    attempt.start()
  }

  /// Gives up every attempt.
  ///
  /// - Parameters:
  ///   - number: The number of the attempt that was answered, which outran those before it: their servers are slow.
  ///   - error: How the attempts end.
  func abandon(
    outrunBy number: Int = 0,
    _ error: RPCError = .cancelled("Another attempt has been answered.")
  ) {
    guard !isOver else { return }
    isOver = true
    timer?.cancel()
    let attempts = open
    open = []
    for attempt in attempts {
      // Of a deadline that has passed the servers are to blame.
      attempt.isGivenUp = attempt.previousAttempts >= number && error.code == .cancelled
      attempt.fail(error)
    }
  }

  private func wait(_ delay: Duration) {
    timer?.cancel()
    timer = channel.loop.schedule(after: delay) { [weak self] in self?.startNext() }
  }

  private func attemptDidEnd(_ attempt: UnaryCall.Attempt) {
    open.removeAll { $0 === attempt.call }
    guard !isOver else { return }
    let isNonFatal = policy.nonFatalStatusCodes.contains(attempt.code)
    if attempt.code == .ok {
      channel.throttle?.recordSuccess()
    } else if isNonFatal || attempt.pushback == .never {
      channel.throttle?.recordFailure()
    }
    guard isNonFatal else { return finish(attempt) }
    switch attempt.pushback {
    case .never: started = .max
    case .after(let delay): if mayStart { wait(delay) }
    case .nothing: startNext()
    }
    if open.isEmpty, !mayStart { finish(attempt) }
  }

  private func finish(_ attempt: UnaryCall.Attempt) {
    abandon(outrunBy: attempt.call.previousAttempts)
    onEnd(attempt.outcome)
  }
}
