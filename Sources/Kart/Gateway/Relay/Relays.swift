import EventLoop
import GRPCCore
import KartAPI
import KartProcess
import RaceRelay

/// The relays of the races that someone follows.
actor Relays<Trackers: ClientTransport> {
  private struct Entry {
    let relay: Relay<Trackers>
    let task: Task<Void, Never>
    var followers = 0
    /// Counts the joins, so that a relay which was joined again is not dropped.
    var joins = 0
  }

  private static var drained: RPCError {
    RPCError(
      code: .unavailable,
      message: "The gateway is shutting down; connect again and resume after the last event.")
  }

  private let subscription: TrackerSubscription<Trackers>
  private let limits: EventWindow.Limits
  private let linger: Duration
  private let capacity: Int
  private let eventLoops: EventLoopGroup
  private let log: Log
  private var entries: [ExactName: Entry] = [:]
  private var isDraining = false

  /// - Parameters:
  ///   - subscription: How relays get their events.
  ///   - limits: How much each relay holds.
  ///   - linger: How long a relay outlives its last follower, while there is room for it.
  ///   - capacity: How many races are relayed at a time.
  ///   - eventLoops: The loops that calls are served on.
  ///   - log: Where failovers are told of.
  init(
    subscription: TrackerSubscription<Trackers>, limits: EventWindow.Limits, linger: Duration,
    capacity: Int = 10_000, eventLoops: EventLoopGroup, log: Log
  ) {
    self.subscription = subscription
    self.limits = limits
    self.linger = linger
    self.capacity = capacity
    self.eventLoops = eventLoops
    self.log = log
  }

  nonisolated var clock: GatewayClock { subscription.clock }

  /// Whether a race is relayed now.
  func has(_ race: String) -> Bool { entries[ExactName(race)] != nil }

  /// Returns where a follower of a race could join now.
  ///
  /// - Throws: What `join` would.
  func admit(_ race: String) throws {
    if isDraining { throw Self.drained }
    if entries[ExactName(race)] == nil { try makeRoom() }
  }

  /// Adds a follower to a race's relay, which begins with its first follower.
  ///
  /// - Parameter loop: Where the follower's call runs.
  /// - Returns: The relay, the part of it that serves the follower, and what it knows him by.
  func join(
    _ race: String, _ follower: sending Follower, on loop: EventLoop
  ) async throws -> (relay: Relay<Trackers>, branch: RelayBranch, id: Int) {
    if isDraining { throw Self.drained }
    let name = ExactName(race)
    var entry = try entries[name] ?? begin(race)
    entry.followers += 1
    entry.joins += 1
    entries[name] = entry
    let branch = await entry.relay.branch(on: loop)
    return (entry.relay, branch, await branch.join(follower))
  }

  /// Removes a follower.
  func leave(_ relay: Relay<Trackers>, _ branch: RelayBranch, _ id: Int) async {
    await branch.leave(id)
    let name = ExactName(relay.race)
    guard var entry = entries[name], entry.relay === relay else { return }
    entry.followers -= 1
    entries[name] = entry
    guard entry.followers == 0 else { return }
    let joins = entry.joins
    Task {
      try? await subscription.clock.sleep(linger)
      self.drop(name, unlessJoinedSince: joins)
    }
  }

  /// Ends a race's relay, and the calls of those who follow it.
  func end(_ race: String, with error: RPCError) async {
    guard let entry = entries.removeValue(forKey: ExactName(race)) else { return }
    entry.task.cancel()
    await entry.relay.end(with: error)
  }

  /// Ends every follower's call, and takes no more.
  func drain() async {
    isDraining = true
    for entry in entries.values { await entry.relay.end(with: Self.drained) }
  }

  /// Ends every relay.
  func stop() async {
    await drain()
    for entry in entries.values { entry.task.cancel() }
    entries = [:]
  }

  private func begin(_ race: String) throws -> Entry {
    try makeRoom()
    let relay = Relay(race: race, subscription: subscription, limits: limits, log: log)
    // Detached from the call that happens to begin it, whose deadline is not the relay's.
    let task = Task.detached(executorPreference: eventLoops.next()) { await relay.run() }
    return Entry(relay: relay, task: task)
  }

  private func makeRoom() throws {
    if entries.count >= capacity {
      for (name, entry) in entries { drop(name, unlessJoinedSince: entry.joins) }
    }
    guard entries.count < capacity else {
      throw RPCError(
        code: .resourceExhausted,
        message: "\(capacity) races are followed already; follow one of them, or try again later.")
    }
  }

  private func drop(_ name: ExactName, unlessJoinedSince joins: Int) {
    guard let entry = entries[name], entry.followers == 0, entry.joins == joins else { return }
    entry.task.cancel()
    entries[name] = nil
  }
}
