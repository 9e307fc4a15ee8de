import GRPCCore
import KartAPI
import KartProcess
import RaceRelay

/// A race's events on their way from one tracker to all who follow the race.
///
/// A relay holds one subscription, whoever many follow. When its tracker is lost or hangs it moves to
/// another, and asks for the events after the last one it has: followers see no gap and no repeat.
///
/// ```
///   waiting ── a tracker is live ──▶ begun
/// ```
/// While it waits, no tracker has sent its snapshot yet. A race that has not begun has an empty one.
actor Relay<Trackers: ClientTransport> {
  nonisolated let race: String
  private let subscription: TrackerSubscription<Trackers>
  private let log: Log
  private var window: EventWindow
  private var hasBegun = false
  private var followers: [Int: Follower] = [:]
  private var lastFollower = 0
  /// How often followers were woken: what comes between a look and a wait is not slept through.
  private var wakes: UInt64 = 0
  /// Attempts since something came.
  private var failures = 0

  init(
    race: String, subscription: TrackerSubscription<Trackers>, limits: EventWindow.Limits, log: Log
  ) {
    self.race = race
    self.subscription = subscription
    self.log = log.with(["race": "\(race)"])
    window = EventWindow(limits: limits)
  }

  // MARK: - The trackers' side

  /// Subscribes at one tracker after another until the task is cancelled.
  func run() async {
    while !Task.isCancelled {
      do {
        try await subscription.events(of: race, after: hasBegun ? window.head : nil) {
          try await self.receive($0)
        }
      } catch {
        if Task.isCancelled { return }
        failures += 1
        log.warning(
          "tracker lost",
          ["head": "\(window.head)", "reason": "\(error)"])
      }
      guard failures > 1 else { continue }
      // Another replica is asked at once; only when that fails too there is a pause.
      let pause = min(Duration.milliseconds(25) * (1 << min(failures, 6)), .seconds(1))
      try? await subscription.clock.sleep(pause)
    }
  }

  private func receive(_ response: Swiftkart_Relay_V1_SubscribeResponse) throws -> Bool {
    failures = 0
    if !hasBegun {
      guard response.live else { return true }
      window.begin(with: response.events, head: response.events.last?.sequence ?? 0)
      hasBegun = true
    }
    for event in response.events where !window.append(event) && event.sequence > window.head {
      throw RPCError(
        code: .dataLoss,
        message: "The tracker sent event \(event.sequence) after event \(window.head).")
    }
    wakeAll()
    return true
  }

  // MARK: - The followers' side

  /// Adds a follower.
  ///
  /// - Returns: What it is known by.
  func join(_ follower: Follower) -> Int {
    lastFollower += 1
    followers[lastFollower] = follower
    return lastFollower
  }

  /// Removes a follower.
  func leave(_ id: Int) {
    followers.removeValue(forKey: id)?.waiter?.resume()
  }

  /// Replaces the types of event that a follower wants. What is added begins with its newest event.
  func setTypes(_ types: Set<RaceEventType>, of id: Int) {
    followers[id]?.setTypes(types)
    wake(id)
  }

  /// Ends a follower's call once it was told everything up to now.
  func finish(_ id: Int, with error: RPCError? = nil) {
    followers[id]?.end = error.map { .failure($0) } ?? .success(())
    wake(id)
  }

  /// Ends every follower's call.
  func finishAll(with error: RPCError) {
    for id in followers.keys { finish(id, with: error) }
  }

  /// Waits until there is something to tell a follower.
  ///
  /// - Parameters:
  ///   - id: The follower.
  ///   - isSlow: Whether it took long over what it was told last. It is then told the newest state
  ///     instead of everything since.
  /// - Throws: How the follower's call fails, or `CancellationError`.
  func next(_ id: Int, isSlow: Bool) async throws -> Follower.Delivery {
    while true {
      try Task.checkCancellation()
      let seen = wakes
      guard var follower = followers[id] else { return .end }
      if let end = follower.end {
        try end.get()
        return .end
      }
      let delivery = hasBegun ? follower.take(from: window, isSlow: isSlow) : nil
      followers[id] = follower
      if let delivery { return delivery }
      await wait(id, since: seen)
    }
  }

  /// Tells a follower of events that are no longer held, from a subscription of its own, until the
  /// relay holds what comes next.
  ///
  /// - Parameter write: Writes the events that the follower wants.
  func catchUp(
    _ id: Int, after number: UInt64,
    _ write: @escaping @Sendable ([RelayedEvent]) async throws -> Void
  ) async throws {
    try await subscription.events(of: race, after: number) { response in
      let events = await self.wanted(response.events, by: id)
      if !events.isEmpty { try await write(events) }
      guard let last = response.events.last else { return await self.isFollowing(id) }
      return await self.caughtUp(id, to: last.sequence)
    }
  }

  private func wanted(_ events: [RelayedEvent], by id: Int) -> [RelayedEvent] {
    guard let follower = followers[id] else { return [] }
    return events.filter { follower.wants($0) }
  }

  private func isFollowing(_ id: Int) -> Bool {
    followers[id].map { $0.end == nil } ?? false
  }

  /// Takes note of how far a follower has come, and returns whether it has further to go.
  private func caughtUp(_ id: Int, to number: UInt64) -> Bool {
    followers[id]?.cursor = .after(number)
    return isFollowing(id) && !window.reachesBack(to: number)
  }

  private func wait(_ id: Int, since seen: UInt64) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        if Task.isCancelled || followers[id] == nil || wakes != seen {
          waiter.resume()
        } else {
          followers[id]?.waiter = waiter
        }
      }
    } onCancel: {
      Task { await self.wake(id) }
    }
  }

  private func wake(_ id: Int) {
    wakes += 1
    followers[id]?.waiter.take()?.resume()
  }

  private func wakeAll() {
    for id in followers.keys { wake(id) }
  }
}
