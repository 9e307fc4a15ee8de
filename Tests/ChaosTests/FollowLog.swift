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
    var waiters: [Int: (count: Int, wake: CheckedContinuation<Void, Never>)] = [:]
    var nextWaiter = 0

    mutating func takeContentWaiters() -> [CheckedContinuation<Void, Never>] {
      let content = waiters.filter { events.count >= $0.value.count }
      for id in content.keys { waiters[id] = nil }
      return content.values.map(\.wake)
    }
  }

  private let state = Mutex(State())

  var events: [Event] { state.withLock(\.events) }

  var highest: UInt64 { state.withLock { $0.events.last?.sequence ?? 0 } }

  /// Adds an event.
  ///
  /// - Returns: its number.
  func add(_ bytes: [UInt8]) throws -> UInt64 {
    let sequence = try FollowRaceResponse(serializedBytes: bytes).sequence
    let waiters = state.withLock { state in
      state.events.append(Event(sequence: sequence, bytes: bytes))
      let now = ContinuousClock.now
      state.longestGap = max(state.longestGap, now - state.lastArrival)
      state.lastArrival = now
      return state.takeContentWaiters()
    }
    for waiter in waiters { waiter.resume() }
    return sequence
  }

  /// Waits until there are so many more events, or the task is cancelled.
  func more(_ count: Int) async {
    let (id, goal) = state.withLock { state in
      state.nextWaiter += 1
      return (state.nextWaiter, state.events.count + count)
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDue = state.withLock { state in
          if state.events.count >= goal || Task.isCancelled { return true }
          state.waiters[id] = (goal, continuation)
          return false
        }
        if isDue { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: id) }?.wake.resume()
    }
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
