/// A queue between one task that reads messages and one that takes all there are at once. It holds so many
/// bytes at most: the reader waits while it is full, which holds back whoever sends to it.
///
/// ```
///   open ── finish() ──▶ finished ── take() of the last ──▶ nil
///    └───── fail(_:) ──▶ failed, and what it holds is dropped
/// ```
package actor BoundedQueue<Element: Sendable> {
  private enum State {
    case open
    case finished
    case failed(any Error)
  }

  private let capacity: Int
  private var state = State.open
  private var elements: [Element] = []
  private var bytes = 0
  private var pusher: CheckedContinuation<Void, Never>?
  private var taker: CheckedContinuation<Void, Never>?

  /// - Parameter capacity: How many bytes it holds before a push waits.
  package init(capacity: Int) {
    self.capacity = capacity
  }

  /// Adds an element, and waits while the queue is full. One task pushes.
  ///
  /// - Throws: What the queue failed with.
  package func push(_ element: Element, bytes size: Int) async throws {
    while isFull {
      await withCheckedContinuation { waiter in
        if isFull { pusher = waiter } else { waiter.resume() }
      }
    }
    if case .failed(let error) = state { throw error }
    elements.append(element)
    bytes += size
    wake(&taker)
  }

  /// Takes every element there is, and waits for one where there is none. One task takes.
  ///
  /// - Returns: The elements in order; nil after the last.
  /// - Throws: What the queue failed with.
  package func take() async throws -> [Element]? {
    while isWaitedFor {
      await withCheckedContinuation { waiter in
        if isWaitedFor { taker = waiter } else { waiter.resume() }
      }
    }
    if case .failed(let error) = state { throw error }
    guard !elements.isEmpty else { return nil }
    defer {
      elements = []
      bytes = 0
      wake(&pusher)
    }
    return elements
  }

  /// Says that no further element comes.
  package func finish() {
    guard case .open = state else { return }
    state = .finished
    wake(&taker)
  }

  /// Ends the queue for both tasks. Only the first error counts.
  package func fail(_ error: any Error) {
    if case .failed = state { return }
    state = .failed(error)
    elements = []
    wake(&pusher)
    wake(&taker)
  }

  private var isFull: Bool {
    if case .open = state { bytes >= capacity } else { false }
  }

  private var isWaitedFor: Bool {
    if case .open = state { elements.isEmpty } else { false }
  }

  private func wake(_ waiter: inout CheckedContinuation<Void, Never>?) {
    waiter.take()?.resume()
  }
}
