import Synchronization

/// A clock that stands still until a test advances it.
package final class ManualClock: Clock {
  package struct Instant: InstantProtocol {
    package var offset: Duration

    package func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    package func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    package static func < (left: Instant, right: Instant) -> Bool {
      left.offset < right.offset
    }
  }

  private struct State {
    var now = Instant(offset: .zero)
    var nextID = 0
    var sleepers: [Int: (deadline: Instant, wake: CheckedContinuation<Void, Never>)] = [:]
    var watchers: [Int: (count: Int, wake: CheckedContinuation<Void, Never>)] = [:]

    mutating func takeContentWatchers() -> [CheckedContinuation<Void, Never>] {
      let content = watchers.filter { sleepers.count >= $0.value.count }
      for id in content.keys { watchers[id] = nil }
      return content.values.map(\.wake)
    }
  }

  private let state = Mutex(State())

  package init() {}

  package var now: Instant {
    state.withLock { $0.now }
  }

  package var minimumResolution: Duration {
    .zero
  }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { (wake: CheckedContinuation<Void, Never>) in
        let ready = state.withLock { state in
          guard deadline > state.now, !Task.isCancelled else { return [wake] }
          state.sleepers[id] = (deadline, wake)
          return state.takeContentWatchers()
        }
        for wake in ready { wake.resume() }
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: id) }?.wake.resume()
    }
    try Task.checkCancellation()
  }

  /// Moves the time on, and wakes whoever has slept long enough, in the order of their deadlines.
  package func advance(by duration: Duration) {
    let ready = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let ready = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in ready.keys { state.sleepers[id] = nil }
      return ready.values.sorted { $0.deadline < $1.deadline }.map(\.wake)
    }
    for wake in ready { wake.resume() }
  }

  /// Waits until at least so many tasks sleep, or the waiting task is cancelled.
  package func sleepers(_ count: Int = 1) async {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { (wake: CheckedContinuation<Void, Never>) in
        let ready = state.withLock { state -> [CheckedContinuation<Void, Never>] in
          guard !Task.isCancelled else { return [wake] }
          state.watchers[id] = (count, wake)
          return state.takeContentWatchers()
        }
        for wake in ready { wake.resume() }
      }
    } onCancel: {
      state.withLock { $0.watchers.removeValue(forKey: id) }?.wake.resume()
    }
  }

  /// Lets no task sleep for long while a closure runs: whenever one sleeps, the time moves on.
  ///
  /// - Parameters:
  ///   - step: By how much.
  ///   - count: How many have to sleep.
  package func hurrying<Result: Sendable>(
    by step: Duration = .seconds(10), whenever count: Int = 1,
    _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask {
        while !Task.isCancelled {
          await self.sleepers(count)
          self.advance(by: step)
        }
      }
      return try await body()
    }
  }
}
