import EventLoop
import Synchronization

/// Writes what the supervisor and its children say, on a thread of its own: a terminal that was paused
/// holds up none of them. Their lines are dropped when too many wait.
final class OutputForwarder: Sendable {
  /// How many bytes may wait.
  static let capacity = 4 << 20

  private let loop = EventLoop(name: "output")
  private let waiting = Atomic<Int>(0)
  private let write: @Sendable (String) -> Void

  /// - Parameter write: Writes a text; it may block.
  init(write: @escaping @Sendable (String) -> Void) {
    self.write = write
  }

  /// Writes a text when its turn comes, or drops it.
  func forward(_ text: String) {
    let size = text.utf8.count
    guard waiting.add(size, ordering: .relaxed).newValue <= Self.capacity else {
      waiting.subtract(size, ordering: .relaxed)
      return
    }
    loop.execute {
      self.write(text)
      self.waiting.subtract(size, ordering: .relaxed)
    }
  }

  /// Writes what waits, and ends the thread.
  ///
  /// - Parameter patience: How long that is waited for; the rest is given up.
  func shutdown(within patience: Duration, by clock: some Clock<Duration>) async {
    let (end, tell) = AsyncStream.makeStream(of: Never.self)
    Task {
      await loop.shutdown()
      tell.finish()
    }
    let limit = Task {
      try? await clock.sleep(for: patience)
      tell.finish()
    }
    for await _ in end {}
    limit.cancel()
  }
}
