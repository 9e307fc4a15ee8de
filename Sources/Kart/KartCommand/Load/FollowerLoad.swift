import GRPCCore
import KartAPI
import RaceControl

/// Many followers of one race, each as `kart follow` is one.
struct FollowerLoad<Transport: ClientTransport, Time: Clock>: Sendable
where Time.Duration == Duration {
  /// A connection that followers share.
  struct Lane: Sendable {
    var service: SwiftKartService.Client<Transport>
    /// Where the followers' tasks run; nil for no preference.
    var executor: (any TaskExecutor)?
  }

  /// What came of it.
  struct Report: Hashable, Sendable {
    var followers: Int
    var connections: Int
    /// How many events all of them were told.
    var events: Int
    /// From the newest fix in an event with locations to its arrival; nil for none.
    var delays: LatencySummary?
    /// How many numbers did not arrive; counted where every type is followed.
    var missed: Int
    /// How often a follower's call had to be made again.
    var reconnections: Int
    var elapsed: Duration

    /// The lines that `kart load followers` prints.
    var text: String {
      let rate = Double(events) / max(elapsed / .seconds(1), 1e-9)
      var text = "\(followers) followers on \(connections) connections: \(events) events in "
      text += "\(FixedPoint.seconds(elapsed)) s: \(FixedPoint.text(rate, decimals: 0)) events/s\n"
      if let delays { text += "delay: \(delays.text)\n" }
      text += "missed: \(missed) events; reconnected: \(reconnections) times\n"
      return text
    }
  }

  var lanes: [Lane]
  var race: String
  var types: [RaceEventType]
  var followers: Int
  var clock: Time
  /// The time by which fixes are judged.
  var now: @Sendable () -> UTCInstant
  /// How long to wait for another follower to be connected.
  var patience = Duration.seconds(5)

  /// Follows for a while, counted from when every follower is connected.
  ///
  /// - Throws: `RPCError` where a follower's call would fare no better another time, or the gateway cannot
  ///   be reached, and ``FollowerArrivals/Stalled`` where not every follower gets connected.
  func run(for duration: Duration) async throws -> Report {
    let tallies = (0..<followers).map { _ in
      FollowerTally(seesEverything: types.count > 1, now: now)
    }
    let arrivals = FollowerArrivals(of: followers, on: lanes.count)
    let (connected, note) = AsyncStream.makeStream(of: Void.self)
    return try await withThrowingTaskGroup(of: Report?.self) { group in
      defer { group.cancelAll() }
      for (index, tally) in tallies.enumerated() {
        let lane = lanes[index % lanes.count]
        group.addTask(executorPreference: lane.executor) {
          try await follow(lane, tally, arrivals) { note.yield() }
          return nil
        }
      }
      group.addTask {
        try await arrivals.watch(by: clock, patience: patience)
        return nil
      }
      group.addTask {
        var rest = connected.makeAsyncIterator()
        for _ in tallies { await rest.next() }
        for tally in tallies { tally.begin() }
        let start = clock.now
        try await clock.sleep(for: duration)
        return report(tallies.map(\.counts), elapsed: start.duration(to: clock.now))
      }
      while let report = try await group.next() {
        if let report { return report }
      }
      throw CancellationError()
    }
  }

  private func follow(
    _ lane: Lane, _ tally: FollowerTally, _ arrivals: FollowerArrivals,
    onFirstConnection: @escaping @Sendable () -> Void
  ) async throws {
    let follower = RaceFollower(lane.service, race: race, types: types, clock: clock) { update in
      if case .disconnected(let failure, _) = update { try arrivals.note(failure) }
      if tally.take(update) {
        arrivals.add()
        onFirstConnection()
      }
    }
    try await follower.run()
  }

  private func report(_ counts: [FollowerTally.Counts], elapsed: Duration) -> Report {
    Report(
      followers: followers, connections: lanes.count,
      events: counts.reduce(0) { $0 + $1.events },
      delays: LatencySummary(nanoseconds: counts.flatMap(\.delays)),
      missed: counts.reduce(0) { $0 + $1.missed },
      reconnections: counts.reduce(0) { $0 + $1.reconnections }, elapsed: elapsed)
  }
}
