import Synchronization

/// The statuses of services by name, and who watches them.
final class ServingStatuses: Sendable {
  private struct State {
    var statuses: [String: ServingStatus] = [:]
    var watchers: [String: [Int: AsyncStream<ServingStatus?>.Continuation]] = [:]
    var nextWatcher = 0
  }

  private let state = Mutex(State())

  var all: [String: ServingStatus] { state.withLock { $0.statuses } }

  func status(of service: String) -> ServingStatus? {
    state.withLock { $0.statuses[service] }
  }

  func update(_ status: ServingStatus, of service: String) {
    state.withLock { state in
      state.statuses[service] = status
      // In the lock, so that every watcher sees changes in their order; a yield never waits.
      for watcher in state.watchers[service, default: [:]].values { watcher.yield(status) }
    }
  }

  /// The status of a service now and whenever it changes; `nil` while it is unknown.
  func changes(of service: String) -> AsyncStream<ServingStatus?> {
    let (changes, watcher) = AsyncStream<ServingStatus?>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      state.nextWatcher += 1
      state.watchers[service, default: [:]][state.nextWatcher] = watcher
      watcher.yield(state.statuses[service])
      return state.nextWatcher
    }
    watcher.onTermination = { _ in
      self.state.withLock { state in
        state.watchers[service]?[id] = nil
        if state.watchers[service]?.isEmpty == true { state.watchers[service] = nil }
      }
    }
    return changes
  }
}
