import EventLoop
import GRPCCore

/// A call that is made several times: the first answer counts, and the others are given up.
///
/// ```
///   delay over, or a failure that is not fatal ──▶ one more attempt, until there are enough
///   an attempt is committed to ──────────────────▶ no more attempts, and no other one goes on
///   an answer, or a failure that is fatal ───────▶ over
///   the last attempt's failure ──────────────────▶ over
/// ```
///
/// Confined to the channel's loop. See gRPC's proposal A6.
final class HedgedCall<Attempt: ClientCall>: @unchecked Sendable {
  private let call: ClientCall
  private let policy: HedgingPolicy
  private let makeAttempt: (_ number: Int) -> Attempt
  private let onEnd: (Attempt, ClientCall.End) -> Void
  /// The attempts that are not over.
  private(set) var open: [Attempt] = []
  private var started = 0
  private var timer: ScheduledTimer?
  /// The attempt that has failed last, and how.
  private var latest: (attempt: Attempt, end: ClientCall.End)?
  private var isCommitted = false
  private var isOver = false

  /// Makes a call.
  ///
  /// - Parameters:
  ///   - policy: How many attempts are made, and when.
  ///   - call: The call, which abandons this when it ends.
  ///   - makeAttempt: Makes an attempt, which tells ``attemptDidEnd(_:_:)`` of its end; the first has the number 0.
  ///   - onEnd: Called once, with the attempt whose end is the call's.
  init(
    _ policy: HedgingPolicy, for call: ClientCall,
    makeAttempt: @escaping (_ number: Int) -> Attempt,
    onEnd: @escaping (Attempt, ClientCall.End) -> Void
  ) {
    self.policy = policy
    self.call = call
    self.makeAttempt = makeAttempt
    self.onEnd = onEnd
  }

  private var channel: Channel { call.channel }

  private var mayStart: Bool {
    !isCommitted && started < min(policy.maxAttempts, CallRetry.mostAttempts)
      && (started == 0 || channel.throttle?.isRetryPermitted != false)
  }

  /// Makes the first attempt, or the next one.
  func startNext() {
    guard !isOver, mayStart else { return }
    timer?.cancel()
    let number = started
    started += 1
    if number > 0 { channel.counters.hedges += 1 }
    let attempt = makeAttempt(number)
    open.append(attempt)
    if mayStart { wait(policy.hedgingDelay) }
    attempt.start()
  }

  /// Goes on with one attempt alone.
  func commit(to attempt: Attempt) {
    guard !isOver, !isCommitted else { return }
    isCommitted = true
    timer?.cancel()
    let others = open.filter { $0 !== attempt }
    open = [attempt]
    give(up: others, outrunBy: attempt.previousAttempts, Self.outrun)
  }

  /// Gives up every attempt.
  ///
  /// - Parameter error: How the attempts end.
  func abandon(_ error: RPCError) {
    guard !isOver else { return }
    isOver = true
    timer?.cancel()
    let attempts = open
    open = []
    give(up: attempts, outrunBy: 0, error)
  }

  private static var outrun: RPCError { .cancelled("Another attempt has been answered.") }

  /// An attempt that was answered outran those before it: their servers are slow.
  private func give(up attempts: [Attempt], outrunBy number: Int, _ error: RPCError) {
    for attempt in attempts {
      // Of a deadline that has passed the servers are to blame.
      attempt.isGivenUp = attempt.previousAttempts >= number && error.code == .cancelled
      attempt.fail(error)
    }
  }

  private func wait(_ delay: Duration) {
    timer?.cancel()
    guard open.isEmpty else {
      timer = channel.loop.schedule(after: delay) { [self] in proceed() }
      return
    }
    // No attempt tells it of the channel's end.
    channel.rest(call, for: delay) { [self] in proceed() }
  }

  /// Goes on after a wait.
  private func proceed() {
    startNext()
    finishIfIdle()
  }

  /// Ends the call where no attempt is on its way and none may follow, as when too many have failed meanwhile.
  private func finishIfIdle() {
    if open.isEmpty, !mayStart, let latest { finish(latest.attempt, latest.end) }
  }

  func attemptDidEnd(_ attempt: Attempt, _ end: ClientCall.End) {
    // One that was given up has no say any more.
    guard !isOver, let place = open.firstIndex(where: { $0 === attempt }) else { return }
    open.remove(at: place)
    latest = (attempt, end)
    let pushback = attempt.headers.pushback
    let isNonFatal = policy.nonFatalStatusCodes.contains(end.code)
    if end.code != .ok, isNonFatal || pushback == .never { channel.throttle?.recordFailure() }
    guard isNonFatal, !isCommitted else { return finish(attempt, end) }
    switch pushback {
    case .never: started = .max
    case .after(let delay): if mayStart { wait(delay) }
    case .nothing: startNext()
    }
    finishIfIdle()
  }

  private func finish(_ attempt: Attempt, _ end: ClientCall.End) {
    guard !isOver else { return }
    isOver = true
    latest = nil
    timer?.cancel()
    let others = open
    open = []
    give(up: others, outrunBy: attempt.previousAttempts, Self.outrun)
    onEnd(attempt, end)
  }
}
