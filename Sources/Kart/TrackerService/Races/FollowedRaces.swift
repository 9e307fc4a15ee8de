import EventLoop
import KartAPI
import KartProcess
import RaceRelay

/// The races that someone follows, and the tail of the log that feeds them. Those that nobody has
/// followed for a while are forgotten, and those that come back are read from the log again.
package actor FollowedRaces {
  /// How the races are kept.
  package struct Configuration: Sendable {
    /// What is held in memory of each race's events.
    package var window = EventWindow.Limits(events: 8_192, bytes: 8 << 20)
    /// How often subscribers are told that this replica is well, at most.
    package var beatInterval = Duration.milliseconds(250)
    /// How many beats a race is kept that nobody follows: a minute's.
    package var idleBeats = 240

    package init() {}
  }

  private struct Entry {
    var race: FollowedRace
    var followers = 0
    var idleBeats = 0
  }

  /// The log that the races are read from.
  package nonisolated let log: any TelemetryLog
  private let configuration: Configuration
  private let loops: EventLoopGroup
  private let clock: any Clock<Duration>
  private let logger: Log
  private var outage: OutageLog
  private var races: [ExactName: Entry] = [:]
  // Up to where the tail has been read; nil while it is not, because no race is followed.
  private var position: LogPosition?
  private var parkedTail: CheckedContinuation<Void, Never>?
  // Whether the tail was read since the last beat. A replica that cannot read its log says nothing, so
  // that its subscribers turn to another.
  private var hasLooked = false
  private var isDraining = false
  private var isReady = false
  private var beatsBehind = 0
  private let tellReadiness: AsyncStream<Bool>.Continuation

  /// Whether the log is read up to its end, and what is followed with it; tells each change. One may
  /// listen.
  package nonisolated let readiness: AsyncStream<Bool>

  /// - Parameters:
  ///   - log: What the races are read from.
  ///   - loops: The loops that fold the races, each on one.
  ///   - clock: What beats are measured by.
  ///   - logger: Takes what goes wrong.
  package init(
    log: any TelemetryLog, configuration: Configuration = .init(), loops: EventLoopGroup,
    clock: any Clock<Duration> = ContinuousClock(), logger: Log
  ) {
    self.log = log
    self.configuration = configuration
    self.loops = loops
    self.clock = clock
    self.logger = logger
    outage = OutageLog(logger, subject: "reading telemetry")
    (readiness, tellReadiness) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Reads the log's tail and beats, until the task is cancelled.
  package func run() async {
    await withDiscardingTaskGroup { group in
      group.addTask { await self.tail() }
      group.addTask { await self.beat() }
    }
  }

  /// Has subscribers turn to other replicas, because this one is about to end.
  package func drain() async {
    isDraining = true
    for entry in races.values {
      await entry.race.drain()
    }
  }

  /// How many races are in memory.
  var count: Int {
    races.count
  }

  /// How many follow a race.
  func followerCount(of name: String) -> Int {
    races[ExactName(name)]?.followers ?? 0
  }

  // MARK: Following

  /// Follows a race until `leave(_:)`.
  ///
  /// - Throws: UNAVAILABLE while draining.
  func follow(_ name: String) throws -> FollowedRace {
    guard !isDraining else { throw FollowedRace.drainError }
    let key = ExactName(name)
    if let race = races[key]?.race {
      races[key]?.followers += 1
      races[key]?.idleBeats = 0
      return race
    }
    let race = FollowedRace(
      name: name, log: log, window: configuration.window, loop: loops.next(), logger: logger)
    races[key] = Entry(race: race, followers: 1)
    if let position {
      load(race, through: position)
    } else {
      parkedTail.take()?.resume()
    }
    return race
  }

  /// Ends what `follow(_:)` began.
  func leave(_ race: FollowedRace) {
    let key = ExactName(race.name)
    guard races[key]?.race === race else { return }
    races[key]?.followers -= 1
  }

  // Batches after `last` come from the tail: both are settled before anything else happens here.
  private func load(_ race: FollowedRace, through last: LogPosition) {
    Task {
      while races[ExactName(race.name)]?.race === race {
        do {
          try await race.load(through: last)
          outage.succeeded()
          return
        } catch {
          await report(error)
        }
      }
    }
  }

  // MARK: The tail

  private func tail() async {
    while !Task.isCancelled {
      do {
        guard let position = try await tailPosition() else { return }
        let batches = try await log.next(
          after: position, patience: configuration.beatInterval / 2)
        outage.succeeded()
        hasLooked = true
        await deliver(batches)
      } catch is CancellationError {
        return
      } catch {
        await report(error)
      }
    }
  }

  // Waits while no race is followed; nil once the task is cancelled.
  private func tailPosition() async throws -> LogPosition? {
    while races.isEmpty {
      position = nil
      await park()
      if Task.isCancelled { return nil }
    }
    if let position { return position }
    let head = try await log.head()
    position = head
    for entry in races.values {
      load(entry.race, through: head)
    }
    return head
  }

  private func park() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { tail in
        if Task.isCancelled || !races.isEmpty {
          tail.resume()
        } else {
          parkedTail = tail
        }
      }
    } onCancel: {
      Task { await self.unpark() }
    }
  }

  private func unpark() {
    parkedTail.take()?.resume()
  }

  private func deliver(_ batches: [LoggedBatch]) async {
    guard let last = batches.last else { return }
    position = last.position
    let news = Dictionary(grouping: batches, by: { ExactName($0.race) }).compactMap {
      name, batches in
      races[name].map { ($0.race, batches) }
    }
    for (race, batches) in news {
      if await race.receive(batches) == .mustLoad { load(race, through: last.position) }
    }
  }

  private func report(_ error: any Error) async {
    outage.failed(error)
    try? await clock.sleep(for: .seconds(1))
  }

  // MARK: Beats

  private func beat() async {
    await judgeReadiness()
    while !Task.isCancelled {
      try? await clock.sleep(for: configuration.beatInterval)
      forgetIdleRaces()
      await judgeReadiness()
      guard hasLooked else { continue }
      hasLooked = false
      for entry in races.values {
        await entry.race.beat()
      }
    }
  }

  private func judgeReadiness() async {
    var isUpToDate = await canReadLog()
    for entry in races.values where isUpToDate {
      isUpToDate = await entry.race.isLive
    }
    // A race that has just been asked for is read within a beat, unless its log is long.
    beatsBehind = isUpToDate ? 0 : beatsBehind + 1
    let isReady = beatsBehind == 0 || self.isReady && beatsBehind < 2
    guard isReady != self.isReady else { return }
    self.isReady = isReady
    tellReadiness.yield(isReady)
  }

  // Where races are followed, the tail tells; else nobody has looked.
  private func canReadLog() async -> Bool {
    guard races.isEmpty else { return hasLooked }
    return (try? await log.head()) != nil
  }

  private func forgetIdleRaces() {
    for (name, entry) in races where entry.followers == 0 {
      if entry.idleBeats >= configuration.idleBeats {
        races[name] = nil
      } else {
        races[name]?.idleBeats += 1
      }
    }
  }
}
