import Synchronization

/// The states of a channel, now and whenever they change.
///
/// Each iteration starts with the state at its beginning. A reader that is slow sees the newest state, and
/// not all that it missed. The sequence ends when the channel has shut down.
public struct ConnectivityStates: AsyncSequence, Sendable {
  /// A state.
  public typealias Element = ConnectivityState

  /// The sequence never fails.
  public typealias Failure = Never

  let publisher: ConnectivityPublisher

  /// Starts with the present state.
  ///
  /// - Returns: The states.
  public func makeAsyncIterator() -> AsyncStream<ConnectivityState>.AsyncIterator {
    publisher.subscribe().makeAsyncIterator()
  }
}

/// Tells subscribers of each new state.
final class ConnectivityPublisher: Sendable {
  private struct State {
    var current = ConnectivityState.idle
    var next = 0
    var subscribers: [Int: AsyncStream<ConnectivityState>.Continuation] = [:]
  }

  private let state = Mutex(State())

  var current: ConnectivityState { state.withLock { $0.current } }

  func publish(_ new: ConnectivityState) {
    let subscribers = state.withLock { state -> [AsyncStream<ConnectivityState>.Continuation] in
      guard state.current != new, state.current != .shutdown else { return [] }
      state.current = new
      return Array(state.subscribers.values)
    }
    for subscriber in subscribers {
      subscriber.yield(new)
      if new == .shutdown { subscriber.finish() }
    }
  }

  /// How many are told of what follows.
  var subscriberCount: Int { state.withLock { $0.subscribers.count } }

  func subscribe() -> AsyncStream<ConnectivityState> {
    let (states, continuation) = AsyncStream.makeStream(
      of: ConnectivityState.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      defer { state.next += 1 }
      // Under the lock, so that no later state comes before this one.
      continuation.yield(state.current)
      if state.current == .shutdown {
        continuation.finish()
      } else {
        state.subscribers[state.next] = continuation
      }
      return state.next
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.subscribers[id] = nil }
    }
    return states
  }
}
