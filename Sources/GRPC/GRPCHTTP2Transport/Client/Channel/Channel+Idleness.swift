import GRPCCore

/// How a channel that has no calls lets go of everything, and is there again for the next one.
///
/// ```
///            no calls for a while             a call
///    ACTIVE ──────────────────────▶ IDLE ───────────────▶ WAKING
///     ▲                              ▲ the call was given up │
///     │                              └───────────────────────┤
///     └──────────────────────────────────────────────────────┘ resolved, or that has failed
/// ```
///
/// See gRPC's "Connectivity Semantics and API".
extension Channel {
  /// Whether a channel is in use.
  enum Activity {
    case active
    /// There is no resolver, and nothing is connected.
    case idle
    /// The target is being resolved again, for calls that wait. Nothing is connected yet: the last endpoints may be
    /// those of others by now.
    case waking
  }

  /// Looks from now on whether there are calls.
  func watchIdleness() {
    guard let timeout = configuration.idleTimeout else { return }
    let idleness = Idleness(timeout: timeout, started: calls.started, now: .now)
    self.idleness = idleness
    look(at: idleness.firstLook)
  }

  private func look(at instant: ContinuousClock.Instant) {
    idleTimer = loop.schedule(at: instant) { [self] in
      guard phase == .running else { return }
      guard
        let next = idleness?.look(now: .now, started: calls.started, hasCalls: hasCalls)
      else { return becomeIdle() }
      look(at: next)
    }
  }

  private func becomeIdle() {
    activity = .idle
    stopWaking()
    // What it remembers is of another time by the next call. Its counts go on.
    formerPolicyCounters.merge(policy.counters, uniquingKeysWith: +)
    if let policy = try? makePolicy(for: serviceConfig) { self.policy = policy }
    picker = FixedPicker(.wait)
    didEject([])
    isWanted = false
    for subchannel in (endpoints ?? []).flatMap(\.subchannels) { subchannel.release() }
    connectivity.publish(.idle)
    tellActivity()
  }

  /// Has the target resolved, and then connects.
  func leaveIdle() {
    guard activity == .idle, phase == .running else { return }
    activity = .waking
    connectivity.publish(.connecting)
    watchIdleness()
    tellActivity()
  }

  /// Returns once the channel is idle, or is not, and at once if it has stopped. From any thread; one task may wait.
  ///
  /// - Returns: Whether the channel has not stopped.
  func becomes(idle: Bool) async -> Bool {
    await withUnsafeContinuation { continuation in
      tell { channel in
        if channel.phase == .stopped {
          continuation.resume(returning: false)
        } else if (channel.activity == .idle) == idle {
          continuation.resume(returning: true)
        } else {
          channel.onActivity = { continuation.resume(returning: channel.phase != .stopped) }
        }
      }
    }
  }

  /// Tells who waits for the channel to be idle or not, or stopped.
  func tellActivity() {
    let block = onActivity
    onActivity = nil
    block?()
  }
}
