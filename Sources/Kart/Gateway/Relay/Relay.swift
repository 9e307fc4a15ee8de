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
///   waiting ── a tracker is live ──▶ begun
/// ```
/// While it waits, no tracker has sent its snapshot yet. A race that has not begun has an empty one.
actor Relay<Trackers: ClientTransport> {
  nonisolated let race: String
  nonisolated let subscription: TrackerSubscription<Trackers>
  private let log: Log
  private var window: EventWindow
  private var hasBegun = false
  private var branches: [ObjectIdentifier: RelayBranch] = [:]
  /// Attempts since something came that was of use.
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
        try await subscription.events(
          of: race, after: hasBegun ? window.head : nil, failures: failures
        ) { await self.receive($0) }
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

  private func receive(_ response: Swiftkart_Relay_V1_SubscribeResponse) -> Bool {
    if hasBegun {
      append(response.events)
    } else if response.live {
      begin(with: response.events)
    }
    if failures > 0 {
      log.info("tracker found", ["head": LogValue(window.head), "attempts": LogValue(failures)])
      failures = 0
    }
    return true
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
    hasBegun = true
    for branch in branches.values { branch.begin(with: window) }
  }

  // MARK: - The followers' side

  /// The part of the relay for followers whose calls run on a loop.
  func branch(on loop: EventLoop) -> RelayBranch {
    if let branch = branches[ObjectIdentifier(loop)] { return branch }
    let branch = RelayBranch(window: hasBegun ? window : nil, on: loop)
    branches[ObjectIdentifier(loop)] = branch
    return branch
  }

  /// Ends every follower's call.
  func end(with error: RPCError) {
    for branch in branches.values { branch.end(with: error) }
  }
}
