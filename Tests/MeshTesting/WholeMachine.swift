import Synchronization
import Testing

/// Tests that bring up real processes, which take turns: each has the machine to itself, except for
/// tests without this trait.
package struct WholeMachine: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    // Suites are scoped too; only what runs takes a turn.
    guard testCase != nil else { return try await function() }
    await Turns.shared.take()
    defer { Turns.shared.pass() }
    try await function()
  }
}

extension Trait where Self == WholeMachine {
  package static var wholeMachine: Self { Self() }
}

/// Whose turn it is: first come, first served.
private final class Turns: Sendable {
  static let shared = Turns()

  private struct State {
    var isTaken = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.isTaken {
          state.waiters.append(continuation)
          return false
        }
        state.isTaken = true
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  func pass() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.waiters.isEmpty {
        state.isTaken = false
        return nil
      }
      return state.waiters.removeFirst()
    }
    next?.resume()
  }
}
