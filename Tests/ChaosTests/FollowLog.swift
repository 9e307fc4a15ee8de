import KartAPI
import Synchronization

/// What one follower has received: every event's bytes, in the order they came.
final class FollowLog: Sendable {
  struct Event: Equatable, Sendable {
    var sequence: UInt64
    var bytes: [UInt8]
  }

  private struct State {
    var events: [Event] = []
    var lastArrival = ContinuousClock.now
    var longestGap = Duration.zero
  }

  private let state = Mutex(State())

  var events: [Event] { state.withLock(\.events) }

  var highest: UInt64 { state.withLock { $0.events.last?.sequence ?? 0 } }

  /// Adds an event.
  ///
  /// - Returns: its number.
  func add(_ bytes: [UInt8]) throws -> UInt64 {
    let sequence = try FollowRaceResponse(serializedBytes: bytes).sequence
    state.withLock { state in
      state.events.append(Event(sequence: sequence, bytes: bytes))
      let now = ContinuousClock.now
      state.longestGap = max(state.longestGap, now - state.lastArrival)
      state.lastArrival = now
    }
    return sequence
  }

  /// The longest time without an event since this was last asked, up to now.
  func takeLongestGap() -> Duration {
    state.withLock { state in
      defer {
        state.longestGap = .zero
        state.lastArrival = .now
      }
      return max(state.longestGap, ContinuousClock.now - state.lastArrival)
    }
  }
}
