import KartAPI
import RaceControl
import Synchronization

/// What one follower of many was told.
final class FollowerTally: Sendable {
  struct Counts: Hashable, Sendable {
    var events = 0
    /// In nanoseconds.
    var delays: [Int64] = []
    var missed = 0
    var reconnections = 0
  }

  private struct State {
    var counts = Counts()
    var wasConnected = false
    /// The number of the newest event of this call; 0 before the first.
    var sequence: UInt64 = 0
  }

  private let seesEverything: Bool
  private let now: @Sendable () -> UTCInstant
  private let state = Mutex(State())

  /// - Parameters:
  ///   - seesEverything: Whether each of a race's numbers should arrive.
  ///   - now: The time by which fixes are judged.
  init(seesEverything: Bool, now: @escaping @Sendable () -> UTCInstant) {
    self.seesEverything = seesEverything
    self.now = now
  }

  var counts: Counts {
    state.withLock { $0.counts }
  }

  /// Counts from here on.
  func begin() {
    state.withLock { $0.counts = Counts() }
  }

  /// Takes an update.
  ///
  /// - Returns: Whether this was the first connection.
  func take(_ update: FollowUpdate) -> Bool {
    state.withLock { state in
      switch update {
      case .connecting: break
      case .connected:
        defer { state.wasConnected = true }
        return !state.wasConnected
      case .event(let event): count(event, in: &state)
      case .disconnected: state.counts.reconnections += 1
      }
      return false
    }
  }

  private func count(_ event: FollowRaceResponse, in state: inout State) {
    state.counts.events += 1
    if seesEverything, state.sequence > 0, event.sequence > state.sequence + 1 {
      state.counts.missed += Int(event.sequence - state.sequence - 1)
    }
    state.sequence = max(state.sequence, event.sequence)
    let fixes = event.locations.karts.map {
      UTCInstant(seconds: $0.recordedAt.seconds, nanoseconds: $0.recordedAt.nanos)
    }
    guard let newest = fixes.max() else { return }
    state.counts.delays.append(Int64(newest.duration(to: now()) / .nanoseconds(1)))
  }
}
