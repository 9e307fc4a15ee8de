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

  /// How much has come of what a follower is told when it joins: the newest event of each type, whose
  /// numbers leave out those between.
  private enum Snapshot {
    case due
    /// Its first event was of this type, so there is at most one of the other yet to come.
    case begun(with: RaceEventType?)
    case over
  }

  private struct State {
    var counts = Counts()
    var wasConnected = false
    var snapshot = Snapshot.due
    /// The number of the newest event; 0 before the first.
    var sequence: UInt64 = 0

    /// Whether an event is one of those that a follower is told when it joins.
    mutating func isSnapshot(_ event: FollowRaceResponse) -> Bool {
      let type: RaceEventType? =
        switch event.event {
        case .locations: .kartLocations
        case .standings: .standings
        case nil: nil
        }
      switch snapshot {
      case .due:
        snapshot = .begun(with: type)
        return true
      case .begun(let first):
        snapshot = .over
        return type != first
      case .over:
        return false
      }
    }
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
      case .disconnected(let error, _):
        state.counts.reconnections += 1
        // The race's numbers begin anew, and the follower with them.
        if error.code == .outOfRange { (state.snapshot, state.sequence) = (.due, 0) }
      }
      return false
    }
  }

  private func count(_ event: FollowRaceResponse, in state: inout State) {
    state.counts.events += 1
    let isSnapshot = state.isSnapshot(event)
    if !isSnapshot, seesEverything, event.sequence > state.sequence + 1 {
      state.counts.missed += Int(event.sequence - state.sequence - 1)
    }
    state.sequence = max(state.sequence, event.sequence)
    // What was there before the follower was not late for it.
    if isSnapshot { return }
    let fixes = event.locations.karts.map {
      UTCInstant(seconds: $0.recordedAt.seconds, nanoseconds: $0.recordedAt.nanos)
    }
    guard let newest = fixes.max() else { return }
    state.counts.delays.append(Int64(newest.duration(to: now()) / .nanoseconds(1)))
  }
}
