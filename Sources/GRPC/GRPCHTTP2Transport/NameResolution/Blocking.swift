import Glibc
import Synchronization

/// Calls of functions that block, each on a thread of its own.
enum Blocking {
  /// What a function returns.
  ///
  /// - Throws: What it throws, or `CancellationError` if the task is cancelled; the thread then ends on its own and
  ///   nobody waits for it.
  static func call<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    let waiter = Waiter<Result>()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard waiter.wait(continuation) else { return }
        startThread { waiter.resume(with: Swift.Result { try body() }) }
      }
    } onCancel: {
      waiter.resume(with: .failure(CancellationError()))
    }
  }

  /// Holds the task that waits, for whichever comes first: the result or the cancellation.
  private final class Waiter<Result: Sendable>: Sendable {
    private enum State: Sendable {
      case new
      case waiting(CheckedContinuation<Result, any Error>)
      case done
    }

    private let state = Mutex(State.new)

    /// - Returns: Whether there is something to wait for.
    func wait(_ continuation: CheckedContinuation<Result, any Error>) -> Bool {
      let isCancelled = state.withLock { state in
        if case .done = state { return true }
        state = .waiting(continuation)
        return false
      }
      if isCancelled { continuation.resume(throwing: CancellationError()) }
      return !isCancelled
    }

    func resume(with result: Swift.Result<Result, any Error>) {
      let waiting = state.withLock { state in
        defer { state = .done }
        if case .waiting(let continuation) = state { return Optional(continuation) }
        return nil
      }
      waiting?.resume(with: result)
    }
  }

  private static func startThread(_ body: @escaping @Sendable () -> Void) {
    final class Start {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    // The one reference that passRetained makes is taken over by the thread, or below.
    let start = Unmanaged.passRetained(Start(body))
    let failure = pthread_create(
      &thread, nil,
      { opaque in
        guard let opaque else { return nil }
        Unmanaged<Start>.fromOpaque(opaque).takeRetainedValue().body()
        return nil
      }, start.toOpaque())
    guard failure == 0 else {
      // No thread to be had: this once the caller's own does it.
      return start.takeRetainedValue().body()
    }
    pthread_detach(thread)
  }
}
