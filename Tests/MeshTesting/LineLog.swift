import Synchronization

/// The lines that a process prints, kept for as long as it lives, for any number of readers.
package final class LineLog: Sendable {
  /// The output ended before a line that was waited for came.
  package struct Ended: Error, CustomStringConvertible {
    package var lines: [String]
    package var description: String {
      "The output ended without the line that was waited for:\n" + lines.joined(separator: "\n")
    }
  }

  private struct State {
    var lines: [String] = []
    var partial: [UInt8] = []
    var hasEnded = false
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var nextWaiter = 0

    mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
      defer { waiters = [:] }
      return Array(waiters.values)
    }
  }

  private let state = Mutex(State())

  package init() {}

  /// Every whole line so far, and the rest once the output has ended.
  package var lines: [String] { state.withLock { $0.lines } }

  /// Adds what was read. No bytes mean that the output has ended.
  func append(_ bytes: [UInt8]) {
    let waiters = state.withLock { state in
      if bytes.isEmpty {
        state.hasEnded = true
        if !state.partial.isEmpty {
          state.lines.append(String(decoding: state.partial, as: UTF8.self))
        }
        state.partial = []
        return state.takeWaiters()
      }
      var hasLine = false
      for byte in bytes {
        if byte == UInt8(ascii: "\n") {
          state.lines.append(String(decoding: state.partial, as: UTF8.self))
          state.partial = []
          hasLine = true
        } else {
          state.partial.append(byte)
        }
      }
      return hasLine ? state.takeWaiters() : []
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Waits for the first line, of those already there or still to come, that fits.
  ///
  /// - Parameter index: the lines before this one are passed over.
  /// - Returns: the line and its index.
  /// - Throws: `Ended`, or `CancellationError`.
  @discardableResult
  package func first(
    from index: Int = 0, where fits: @Sendable (String) -> Bool
  ) async throws -> (index: Int, line: String) {
    var index = index
    while true {
      try Task.checkCancellation()
      let (lines, hasEnded) = state.withLock { (Array($0.lines.dropFirst(index)), $0.hasEnded) }
      for line in lines {
        if fits(line) { return (index, line) }
        index += 1
      }
      guard !hasEnded else { throw Ended(lines: self.lines) }
      await change(after: index)
    }
  }

  /// Waits until the output has ended.
  ///
  /// - Throws: `CancellationError`.
  package func end() async throws {
    while true {
      try Task.checkCancellation()
      let (count, hasEnded) = state.withLock { ($0.lines.count, $0.hasEnded) }
      if hasEnded { return }
      await change(after: count)
    }
  }

  /// Waits until there are more than `count` lines, the output has ended or the task is cancelled.
  private func change(after count: Int) async {
    let id = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDue = state.withLock { state in
          if state.lines.count > count || state.hasEnded || Task.isCancelled { return true }
          state.waiters[id] = continuation
          return false
        }
        if isDue { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
    }
  }
}
