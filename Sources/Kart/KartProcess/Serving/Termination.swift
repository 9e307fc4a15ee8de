import EventLoop
import Glibc

/// The signals that ask the process to end.
package enum Termination {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// Has the signals wait until someone looks for them, and SIGCHLD with them, which a supervisor looks
  /// for. Comes first in `main`, before anything starts a thread.
  package static func prepare() {
    SignalSource.block(signals + [SIGCHLD])
  }

  /// Does something with the signals as they come.
  ///
  /// - Parameter body: Takes the signals' numbers.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, or `SystemError` where signals can't be watched.
  package static func withSignals<Result: Sendable>(
    on loop: EventLoop, _ body: (AsyncStream<Int32>) async throws -> Result
  ) async throws -> Result {
    let (asked, ask) = AsyncStream.makeStream(of: Int32.self)
    let source = try SignalSource(signals, on: loop) { ask.yield($0) }
    defer { source.close() }
    return try await body(asked)
  }

  /// Does something until it is done or the process is asked to end, which cancels it.
  ///
  /// - Returns: What `body` returns; nil where a signal came first.
  package static func interrupting<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result? {
    try await withSignals(on: EventLoopGroup.shared.next()) { signals in
      try await withThrowingTaskGroup(of: Result?.self) { group in
        group.addTask { try await body() }
        group.addTask {
          for await _ in signals { break }
          return nil
        }
        defer { group.cancelAll() }
        do {
          return try await group.next() ?? nil
        } catch is CancellationError {
          return nil
        }
      }
    }
  }
}
