import EventLoop
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
///   waiting ── a tracker is live ──▶ begun ── one is behind for too long ──▶ in doubt
///                                     ▲                                        │
///                                     └─────────── a tracker is live ──────────┘
/// ```
/// While it waits, no tracker has sent its snapshot yet. A race that has not begun has an empty one. In doubt it
/// asks for a snapshot again, most likely of another tracker: if that one does not have the relay's newest event
/// either, the log has been restored from a copy or was begun anew, and so is the relay.
actor Relay<Trackers: ClientTransport> {
  private enum Phase {
    case waiting
    case begun
    case inDoubt
  }

  nonisolated let race: String
  nonisolated let subscription: TrackerSubscription<Trackers>
  private let log: Log
  /// How long a tracker may be behind, as one is that just went on after it hung.
  private let patience: Duration
  private var window: EventWindow
  private var phase = Phase.waiting
  /// Since when the tracker has been behind.
  private var behindSince: ContinuousClock.Instant?
  private var branches: [ObjectIdentifier: RelayBranch] = [:]
  /// Attempts since something came that was of use.
  private var failures = 0

  init(
    race: String, subscription: TrackerSubscription<Trackers>, limits: EventWindow.Limits, log: Log,
    patience: Duration = .seconds(2)
  ) {
    self.race = race
    self.subscription = subscription
    self.log = log.with(["race": "\(race)"])
    self.patience = patience
    window = EventWindow(limits: limits)
  }

  // MARK: - The trackers' side

  /// Subscribes at one tracker after another until the task is cancelled.
  func run() async {
    while !Task.isCancelled {
      behindSince = nil
      do {
        try await subscription.events(
          of: race, after: phase == .begun ? window.head : nil, failures: failures
        ) { try await self.receive($0) }
      } catch {
        if Task.isCancelled { return }
        failures += 1
        // Once, however long it takes to find another.
        if failures == 1 {
          log.warning(
            "tracker lost", ["head": LogValue(window.head), "reason": .describing(error)])
        }
      }
      guard failures > 1 else { continue }
      // Another replica is asked at once; only when that fails too there is a pause.
      let pause = min(Duration.milliseconds(25) * (1 << min(failures, 6)), .seconds(1))
      try? await subscription.clock.sleep(pause)
    }
  }

  private func receive(_ response: Swiftkart_Relay_V1_SubscribeResponse) throws -> Bool {
    switch phase {
    case .begun:
      append(response.events)
      try checkIsUpToDate(response)
    case .waiting:
      if response.live { begin(with: response.events) }
    case .inDoubt:
      if response.live { settle(by: response) }
    }
    if failures > 0 {
      log.info("tracker found", ["head": LogValue(window.head), "attempts": LogValue(failures)])
      failures = 0
    }
    return true
  }

  // A tracker that does not have the relay's newest event says nothing until it has another of that number.
  private func checkIsUpToDate(_ response: Swiftkart_Relay_V1_SubscribeResponse) throws {
    guard response.live, response.events.isEmpty, response.head < window.head else {
      behindSince = nil
      return
    }
    let now = subscription.clock.now()
    guard let since = behindSince else {
      behindSince = now
      return
    }
    guard now - since >= patience else { return }
    phase = .inDoubt
    throw RPCError(
      code: .unavailable, message: "The tracker has been behind for \(patience).")
  }

  private func settle(by snapshot: Swiftkart_Relay_V1_SubscribeResponse) {
    phase = .begun
    guard snapshot.head < window.head else { return append(snapshot.events) }
    log.warning(
      "the log goes back", ["from": LogValue(window.head), "to": LogValue(snapshot.head)])
    begin(with: snapshot.events)
  }

  private func append(_ events: [RelayedEvent]) {
    var fresh: [RelayedEvent] = []
    for (index, event) in events.enumerated() {
      if window.append(event) {
        fresh.append(event)
      } else if event.sequence > window.head {
        // The log does not reach back so far any longer. Who follows is told what there is.
        log.warning(
          "events are missing", ["after": LogValue(window.head), "next": LogValue(event.sequence)])
        let known = window.newest.values.sorted { $0.sequence < $1.sequence }
        return begin(with: known + events[index...])
      }
    }
    if !fresh.isEmpty { for branch in branches.values { branch.take(fresh) } }
  }

  private func begin(with events: [RelayedEvent]) {
    window.begin(with: events)
    phase = .begun
    for branch in branches.values { branch.begin(with: window) }
  }

  // MARK: - The followers' side

  /// The part of the relay for followers whose calls run on a loop.
  func branch(on loop: EventLoop) -> RelayBranch {
    if let branch = branches[ObjectIdentifier(loop)] { return branch }
    let branch = RelayBranch(window: phase == .waiting ? nil : window, on: loop)
    branches[ObjectIdentifier(loop)] = branch
    return branch
  }

  /// Ends every follower's call.
  func end(with error: RPCError) {
    for branch in branches.values { branch.end(with: error) }
  }
}
