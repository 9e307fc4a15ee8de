import GRPCCore

/// The states of a subchannel, without its sockets and timers.
///
/// ```
///           connect                established
///    IDLE ───────────▶ CONNECTING ─────────────▶ READY
///     ▲ ▲                │    ▲                    │
///     │ │         failed │    └ ─ (paced) ─        │ lost, or GOAWAY
///     │ │                ▼                         │
///     │ └─ TRANSIENT_FAILURE                       │
///     │     backoff over                           │
///     └────────────────────────────────────────────┘      any ──▶ SHUTDOWN
/// ```
///
/// A peer that accepts connections and drops them at once would be connected to in a loop, since each success
/// ends the backoff. So a connection that lived for a shorter time than the first backoff counts as a
/// failure for the *pace* of later attempts: the first such loss costs nothing, further ones in a row do.
struct SubchannelStateMachine: Sendable {
  typealias Instant = ContinuousClock.Instant

  private enum State: Sendable {
    case idle
    case connecting(started: Instant)
    case ready(since: Instant)
    case transientFailure
    case shutdown
  }

  private var state = State.idle
  private var failuresInARow = 0
  private var shortLivesInARow = 0
  private var lastAttempt: Instant?
  private let backoff: ConnectionBackoff

  /// Why the last attempt failed; kept while the next one is made.
  private(set) var failure: RPCError?

  init(backoff: ConnectionBackoff) {
    self.backoff = backoff
  }

  var connectivity: ConnectivityState {
    switch state {
    case .idle: .idle
    case .connecting: .connecting
    case .ready: .ready
    case .transientFailure: .transientFailure
    case .shutdown: .shutdown
    }
  }

  /// Starts connecting if the subchannel is idle.
  ///
  /// - Returns: When to begin the attempt, or nil if there is nothing to do.
  mutating func connect(
    now: Instant, using generator: inout some RandomNumberGenerator
  ) -> Instant? {
    guard case .idle = state else { return nil }
    var start = now
    if shortLivesInARow > 1, let lastAttempt {
      let pace = backoff.wait(afterFailures: shortLivesInARow - 1, using: &generator)
      start = max(now, lastAttempt.advanced(by: pace))
    }
    state = .connecting(started: start)
    lastAttempt = start
    return start
  }

  /// Notes that the connection has been made and its settings have been exchanged.
  ///
  /// - Returns: Whether it is of use; if not, it must be closed.
  mutating func established(now: Instant) -> Bool {
    guard case .connecting = state else { return false }
    state = .ready(since: now)
    failuresInARow = 0
    failure = nil
    return true
  }

  /// Notes that the attempt has failed.
  ///
  /// - Returns: When the backoff ends, or nil if the subchannel was not connecting.
  mutating func failed(
    _ error: RPCError, using generator: inout some RandomNumberGenerator
  ) -> Instant? {
    guard case .connecting(let started) = state else { return nil }
    failuresInARow += 1
    failure = error
    state = .transientFailure
    return started.advanced(
      by: backoff.wait(afterFailures: failuresInARow, using: &generator))
  }

  /// Notes that the backoff is over, or ends it early.
  ///
  /// - Returns: Whether the state changed.
  mutating func backoffEnded() -> Bool {
    guard case .transientFailure = state else { return false }
    state = .idle
    return true
  }

  /// Forgets earlier failures, so that the next wait is the first one again.
  ///
  /// - Returns: Whether there is an attempt that was to begin later, and must now.
  mutating func resetBackoff(now: Instant) -> Bool {
    failuresInARow = 0
    shortLivesInARow = 0
    guard case .connecting(let start) = state, start > now else { return false }
    state = .connecting(started: now)
    lastAttempt = now
    return true
  }

  /// Notes that the connection was lost or takes no more calls.
  ///
  /// - Returns: Whether the state changed.
  mutating func lost(now: Instant) -> Bool {
    guard case .ready(let since) = state else { return false }
    state = .idle
    let isShort = since.duration(to: now) < backoff.initial
    shortLivesInARow = isShort ? shortLivesInARow + 1 : 0
    return true
  }

  /// Gives up a connection, made or in the making, that the policy does not need.
  ///
  /// - Returns: Whether there is one to close.
  mutating func release() -> Bool {
    switch state {
    case .connecting, .ready:
      state = .idle
      return true
    case .idle, .transientFailure, .shutdown:
      return false
    }
  }

  /// Ends in the last state, from any other.
  mutating func shutDown() {
    state = .shutdown
  }
}
