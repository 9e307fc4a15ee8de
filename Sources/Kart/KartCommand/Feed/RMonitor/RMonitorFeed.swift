import EventLoop
import GRPCCore
import KartProcess
import RaceControl
import RaceFeeds

/// A race that a timing system tells of in the RMonitor format.
struct RMonitorFeed<Gateway: ClientTransport>: Sendable {
  let feed: RaceFeed<Gateway>
  let race: String
  let session: Observation.SessionStart

  /// Replays a capture, and returns the classification at its end. A race that is over by then is
  /// marked as finished.
  ///
  /// - Parameters:
  ///   - capture: The capture's bytes.
  ///   - name: What the producer is called after, besides the content: the same capture, sent again,
  ///     changes nothing, and another one of the same name is another producer.
  ///   - speed: How fast.
  func replay(
    _ capture: [UInt8], named name: String, speed: ReplaySpeed
  ) async throws -> [StandingsEntry] {
    let result = Classification()
    try await feed.run(
      race: race, producer: Self.producer(of: capture, named: name), numbering: .repeating
    ) {
      [session, log = feed.log, clock = feed.clock, race] send in
      var replay = RMonitorReplay(of: capture, speed: speed, session: session, start: .now)
      var state = RaceState()
      var batches = 0
      while let step = replay.next() {
        if step.delay > .zero { try await clock.sleep(for: step.delay) }
        _ = state.apply(step.batch)
        try await send(step.batch)
        batches += 1
        if batches.isMultiple(of: 500) {
          log.info("replaying", ["race": .text(race), "batches": LogValue(batches)])
        }
      }
      var problems = RMonitorProblemLog(log)
      problems.tell(replay.report)
      problems.tellTotal(replay.report)
      await result.set(state.standings, isOver: state.isOver)
    }
    if await result.isOver { try await feed.finish(race) }
    return await result.entries
  }

  /// What the producer of a capture is called.
  static func producer(of capture: [UInt8], named name: String) -> String {
    // FNV-1a of 64 bits: the same in every run.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in capture { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return "rmonitor:\(name):\(String(hash, radix: 16))"
  }

  /// Reads from a timing system until the task is cancelled, over connections that break.
  func follow(_ endpoint: TimingEndpoint) async throws {
    try await feed.run(race: race, producer: "rmonitor:\(endpoint)", numbering: .continuing) {
      [session, log = feed.log, clock = feed.clock] send in
      var feed = RMonitorSession(session: session)
      var problems = RMonitorProblemLog(log)
      var backoff = Backoff()
      var outage = OutageLog(
        log.with(["address": "\(endpoint)"]), subject: "reading from the timing system")
      let loop = EventLoop(name: "timing")
      while true {
        let connection = TimingConnection(loop: loop)
        do {
          try await connection.connect(to: endpoint)
          // One that takes connections and tells nothing still fails.
          if !outage.isFailing { log.info("timing system connected", ["address": "\(endpoint)"]) }
          // What was cut off by the break is gone; the timing system refreshes what it tells.
          var parser = RMonitorParser()
          while case let bytes = try await connection.read(), !bytes.isEmpty {
            backoff.reset()
            outage.succeeded()
            for line in parser.read(bytes) { feed.take(line, receivedAt: .now) }
            problems.tell(feed.report)
            if let batch = feed.takeBatch() { try await send(batch) }
          }
          outage.failed(TimingSystemLeft())
        } catch let error where !(error is CancellationError) && Self.isOfConnection(error) {
          outage.failed(error)
        }
        problems.tellTotal(feed.report)
        await connection.close()
        try await clock.sleep(for: backoff.wait())
      }
    }
  }

  private static func isOfConnection(_ error: any Error) -> Bool {
    error is SystemError || error is TimingConnection.UnknownHost
  }

  private struct TimingSystemLeft: Error, CustomStringConvertible {
    var description: String { "it has ended the connection" }
  }
}

/// The standings that a replay ended with.
private actor Classification {
  private(set) var entries: [StandingsEntry] = []
  private(set) var isOver = false

  func set(_ entries: [StandingsEntry], isOver: Bool) {
    self.entries = entries
    self.isOver = isOver
  }
}
