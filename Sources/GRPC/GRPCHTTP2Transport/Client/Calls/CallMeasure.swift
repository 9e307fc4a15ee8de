import GRPCCore

/// Measures a call, or one of several attempts of it.
///
/// See gRPC's proposals A66 and A96.
final class CallMeasure {
  private let record: ClientMetricsRecorder.MethodRecord
  /// The call, if this measures an attempt of one that is hedged.
  private let call: CallMeasure?
  private let start = ContinuousClock.now
  private var attemptStart: ContinuousClock.Instant?
  private var lastAttemptEnd: ContinuousClock.Instant?
  private var delay = Duration.zero
  private var retries = 0
  private var transparentRetries = 0
  private var hedges = 0

  /// Measures a call.
  init(_ record: ClientMetricsRecorder.MethodRecord) {
    self.record = record
    call = nil
  }

  /// Measures an attempt of a call that is hedged.
  init(attemptOf call: CallMeasure, number: Int) {
    record = call.record
    self.call = call
    if number > 0 { call.hedges += 1 }
  }

  /// A call, or one of its attempts, begins.
  func attemptDidStart() {
    let now = lastAttemptEnd == nil ? start : .now
    if let lastAttemptEnd { delay += lastAttemptEnd.duration(to: now) }
    attemptStart = now
    record.metrics.attemptsStarted += 1
  }

  /// What has begun is no attempt: it turns out that the call is hedged.
  func takeAttemptBack() {
    guard attemptStart != nil else { return }
    attemptStart = nil
    record.metrics.attemptsStarted -= 1
  }

  /// An attempt has ended, if there was one.
  func attemptDidEnd(_ code: Status.Code, sent: Int, received: Int) {
    guard let attemptStart else { return }
    let now = ContinuousClock.now
    self.attemptStart = nil
    lastAttemptEnd = now
    record.metrics.attempts[code, default: CallMetrics()].record(
      attemptStart.duration(to: now), sent: sent, received: received)
  }

  /// The call is made again.
  func willRetry(transparently: Bool) {
    if transparently { transparentRetries += 1 } else { retries += 1 }
  }

  /// The call has ended.
  func callDidEnd(_ code: Status.Code) {
    if let call {
      call.transparentRetries += transparentRetries
      return
    }
    let end = lastAttemptEnd ?? .now
    record.metrics.callDurations[code, default: .latencies].record(start.duration(to: end))
    if retries > 0 { record.metrics.retries.record(Double(retries)) }
    if transparentRetries > 0 {
      record.metrics.transparentRetries.record(Double(transparentRetries))
    }
    if hedges > 0 { record.metrics.hedges.record(Double(hedges)) }
    if delay > .zero { record.metrics.retryDelays.record(delay) }
  }
}
