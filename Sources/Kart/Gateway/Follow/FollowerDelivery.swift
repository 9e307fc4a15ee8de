import GRPCCore
import RaceRelay

/// One follower's side of a relay: writes what the follower is told, until its call ends.
struct FollowerDelivery<Trackers: ClientTransport>: Sendable {
  let relay: Relay<Trackers>
  let replays: TrackerSubscription<Trackers>
  let branch: RelayBranch
  /// What the branch knows the follower by.
  let id: Int
  /// How long a follower may take over deliveries, one after another, before it counts as slow.
  let slowAfter: Duration

  /// Who takes no longer than this over a delivery has caught up.
  private static var prompt: Duration { .milliseconds(20) }

  private var clock: GatewayClock { relay.subscription.clock }

  /// Tells the follower everything.
  ///
  /// - Throws: How the call fails.
  func run(to writer: RPCWriter<[UInt8]>) async throws {
    try await withTaskCancellationHandler {
      try await deliver(to: writer)
    } onCancel: {
      branch.nudge(id)
    }
  }

  private func deliver(to writer: RPCWriter<[UInt8]>) async throws {
    var waited = Duration.zero
    var failures = 0
    while true {
      switch try await branch.next(id, isSlow: waited > slowAfter) {
      case .events(let events):
        let start = clock.now()
        try await write(events, to: writer)
        let took = clock.now() - start
        waited = took > Self.prompt ? waited + took : .zero
      case .catchUp(let number):
        waited = .zero
        do {
          try await catchUp(after: number, failures, writer)
          failures = 0
        } catch let error as RPCError where error.code == .unavailable {
          // The next tracker goes on where this one was lost.
          failures += 1
          try await clock.sleep(.milliseconds(50))
        }
      case .end: return
      }
    }
  }

  private func write(_ events: [RelayedEvent], to writer: RPCWriter<[UInt8]>) async throws {
    if events.count == 1 {
      try await writer.write(events[0].response)
    } else {
      try await writer.write(contentsOf: events.lazy.map(\.response))
    }
  }

  // Tells of events that are no longer held, from a subscription of the follower's own, until the
  // relay holds what comes next.
  private func catchUp(
    after number: UInt64, _ failures: Int, _ writer: RPCWriter<[UInt8]>
  ) async throws {
    try await replays.events(of: relay.race, after: number, failures: failures) {
      response in
      let events = await branch.wanted(response.events, by: id)
      if !events.isEmpty { try await write(events, to: writer) }
      guard let last = response.events.last else { return await branch.isFollowing(id) }
      return await branch.caughtUp(id, to: last.sequence)
    }
  }
}
