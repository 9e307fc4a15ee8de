import CLinux
import EventLoop
import Glibc
import Synchronization

/// The signals that ask the process to end.
///
/// The main thread waits for them and for nothing else, so that the process can be ended whatever keeps
/// its other threads: an output that nobody reads, an input that does not come.
///
/// ```
///   running ── signal ──▶ asked ── another one, or no end in time ──▶ ended by the signal
///      └────── signal that nobody listens for ──────────────────────────────▲
/// ```
package enum Termination {
  private struct Listener {
    let ask: AsyncStream<Int32>.Continuation
    let patience: Duration?
  }

  // One that the process was started to ignore, as by nohup, stays so: blocked it would be kept for us.
  private static let signals = [SIGINT, SIGTERM, SIGHUP].filter { ignores_signal($0) == 0 }
  private static let listener = Mutex<Listener?>(nil)

  /// Has the signals wait until someone looks for them, and SIGCHLD with them, which a supervisor looks
  /// for. Comes first in `main`, before anything starts a thread.
  package static func prepare() {
    SignalSource.block(signals + [SIGCHLD])
  }

  /// Looks for the signals, for as long as the process lives. Only the first is told: see `EndingSignals`.
  static func watch() -> Never {
    var requests = EndingSignals()
    var limit: (signal: Int32, time: ContinuousClock.Instant)?
    while true {
      guard let signal = next(before: limit?.time) else {
        if let limit, limit.time <= .now { end(by: limit.signal) }
        continue
      }
      switch requests.take(signal, at: .now) {
      case .end:
        guard let listener = listener.withLock({ $0 }) else { end(by: signal) }
        limit = listener.patience.map { (signal, .now + $0) }
        listener.ask.yield(signal)
      case .repeated:
        break
      case .endAtOnce:
        end(by: signal)
      }
    }
  }

  /// Does something that ends by itself once it is told of a signal. Only one task may do so at a time.
  ///
  /// - Parameters:
  ///   - patience: How long the process may take to end from then on; nil for as long as it likes.
  ///   - body: Takes the number of the first signal that comes.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  package static func withSignals<Result: Sendable>(
    patience: Duration? = nil, _ body: (AsyncStream<Int32>) async throws -> Result
  ) async rethrows -> Result {
    let (asked, ask) = AsyncStream.makeStream(of: Int32.self)
    listener.withLock { $0 = Listener(ask: ask, patience: patience) }
    defer { listener.withLock { $0 = nil } }
    return try await body(asked)
  }

  /// Does something until it is done or the process is asked to end, which cancels it. The process has
  /// five seconds to end then.
  ///
  /// - Returns: What `body` returns; nil where a signal came first.
  package static func interrupting<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result? {
    try await withSignals(patience: .seconds(5)) { signals in
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

  // nil where none came in time, and now and then before.
  private static func next(before time: ContinuousClock.Instant?) -> Int32? {
    var signals = set(of: signals)
    guard let time else {
      let signal = sigwaitinfo(&signals, nil)
      return signal > 0 ? signal : nil
    }
    let rest = max(.zero, ContinuousClock.now.duration(to: time)).components
    var wait = timespec(
      tv_sec: Int(rest.seconds), tv_nsec: Int(rest.attoseconds / 1_000_000_000))
    let signal = sigtimedwait(&signals, nil, &wait)
    return signal > 0 ? signal : nil
  }

  // As a process ends that knows nothing of the signal, so that who started it sees what it was.
  private static func end(by signal: Int32) -> Never {
    var signals = set(of: [signal])
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(signal)
    // The first process of a container is not ended by that.
    _exit(128 + signal)
  }

  private static func set(of signals: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    return set
  }
}
