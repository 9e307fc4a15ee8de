import Synchronization

/// A value that comes once and is waited for by any number of tasks.
package final class Latch<Value: Sendable>: Sendable {
  private enum State {
    case open(waiters: [Int: CheckedContinuation<Value, any Error>], next: Int)
    case closed(Value)
  }

  private let state = Mutex(State.open(waiters: [:], next: 0))

  package init() {}

  /// The value, if it has come.
  package var current: Value? {
    state.withLock { if case .closed(let value) = $0 { value } else { nil } }
  }

  /// Hands the value to everyone who waits. Only the first call counts.
  package func close(with value: Value) {
    let waiting = state.withLock { state -> [CheckedContinuation<Value, any Error>] in
      guard case .open(let waiters, _) = state else { return [] }
      state = .closed(value)
      return Array(waiters.values)
    }
    for waiter in waiting { waiter.resume(returning: value) }
  }

  /// Waits for the value.
  ///
  /// - Throws: `CancellationError`.
  package var value: Value {
    get async throws {
      let id = state.withLock { state -> Int in
        guard case .open(let waiters, let next) = state else { return 0 }
        state = .open(waiters: waiters, next: next + 1)
        return next
      }
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let result = state.withLock { state -> Result<Value, any Error>? in
            switch state {
            case .closed(let value): return .success(value)
            case .open where Task.isCancelled: return .failure(CancellationError())
            case .open(var waiters, let next):
              waiters[id] = continuation
              state = .open(waiters: waiters, next: next)
              return nil
            }
          }
          if let result { continuation.resume(with: result) }
        }
      } onCancel: {
        let waiter = state.withLock { state -> CheckedContinuation<Value, any Error>? in
          guard case .open(var waiters, let next) = state else { return nil }
          defer { state = .open(waiters: waiters, next: next) }
          return waiters.removeValue(forKey: id)
        }
        waiter?.resume(throwing: CancellationError())
      }
    }
  }
}
