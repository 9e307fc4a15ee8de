import GRPCCore
import KartAPI
import KartProcess
import RaceControl

/// A feed of one race: makes sure that the race is scheduled, and sends batches while they come.
struct RaceFeed<Gateway: ClientTransport>: Sendable {
  typealias Sender = RecordSender<Gateway, ContinuousClock>

  let client: GRPCClient<Gateway>
  let log: Log
  /// What waits are measured by: those between calls to the schedule, and those of a timing system's feed.
  var clock: any Clock<Duration> = ContinuousClock()

  /// Schedules a race unless there is one of its name. A schedule that is too busy or away for the
  /// moment is asked again.
  ///
  /// - Parameter race: What to schedule; nil only checks.
  /// - Throws: `RPCError`, NOT_FOUND where the race is not there and is not to be made.
  func schedule(_ race: Race?, named name: String) async throws {
    let service = Swiftkart_Schedule_V1_RaceScheduleService.Client(wrapping: client)
    do {
      let known = try await retrying(name) {
        try await service.getRace(.with { $0.name = name }, options: Self.options)
      }
      let planned = known.race.race.laps
      if let race, planned > 0, race.laps > 0, planned != race.laps {
        log.warning(
          "the schedule has another distance",
          ["race": .text(name), "laps": LogValue(race.laps), "scheduled_laps": LogValue(planned)])
      }
    } catch let error as RPCError where error.code == .notFound {
      guard let race else {
        throw RPCError(
          code: .notFound,
          message:
            "the schedule has no race \(name.quotedName); create it, or give its distance with "
            + "--laps and the feed does")
      }
      do {
        _ = try await retrying(name) {
          try await service.createRace(.with { $0.race = race }, options: Self.options)
        }
        log.info("race scheduled", ["race": .text(name)])
      } catch let error as RPCError where error.code == .alreadyExists {
        // Another feed was quicker.
      }
    }
  }

  /// Marks a race as finished, which takes it off the races to come.
  func finish(_ name: String) async throws {
    let service = Swiftkart_Schedule_V1_RaceScheduleService.Client(wrapping: client)
    _ = try await retrying(name) {
      try await service.finishRace(.with { $0.name = name }, options: Self.options)
    }
    log.info("race finished", ["race": .text(name)])
  }

  /// Sends what a closure makes, until it returns and everything is on disk.
  ///
  /// - Parameters:
  ///   - race: The race's name.
  ///   - producer: The feed's name, the same in every run.
  ///   - numbering: How batches get their numbers.
  ///   - produce: Makes the batches and gives them to the closure that it is handed.
  func run(
    race: String, producer: String, numbering: Sender.Numbering,
    _ produce:
      @escaping @Sendable (_ send: @Sendable (Batch) async throws -> Void) async throws
      -> Void
  ) async throws {
    let sender = Sender(
      .init(wrapping: client), race: race, producer: producer, clock: .continuous, log: log)
    let durable = try await sender.start(numbering)
    log.info(
      "feeding",
      ["race": .text(race), "producer": .text(producer), "on_disk": LogValue(durable)])
    try await withThrowingDiscardingTaskGroup { group in
      group.addTask { try await sender.run() }
      group.addTask {
        try await produce { batch in
          guard !batch.observations.isEmpty else { return }
          noteLongNames(in: batch, race)
          try await sender.send(batch.observations.map(Swiftkart_Telemetry_V1_Observation.init))
        }
        await sender.finish()
      }
    }
  }

  private func noteLongNames(in batch: Batch, _ race: String) {
    let limit = Swiftkart_Telemetry_V1_Observation.longestName
    let karts = batch.observations.compactMap { observation -> Int32? in
      guard case .competitor(let entry) = observation.kind, entry.name.utf8.count > limit else {
        return nil
      }
      return entry.kartNumber
    }
    guard let kart = karts.first else { return }
    log.warning(
      "long names are cut",
      [
        "race": .text(race), "names": LogValue(karts.count), "kart": LogValue(kart),
        "bytes": LogValue(limit),
      ])
  }

  // Makes a call until the schedule has time for it.
  private func retrying<Answer>(
    _ race: String, _ call: () async throws -> Answer
  ) async throws -> Answer {
    var backoff = Backoff()
    var outage = OutageLog(log.with(["race": .text(race)]), subject: "asking the schedule")
    while true {
      do {
        let answer = try await call()
        outage.succeeded()
        return answer
      } catch let error as RPCError
        where error.code == .resourceExhausted || error.code == .unavailable
      {
        try Task.checkCancellation()
        outage.failed(error)
        try await clock.sleep(for: backoff.wait(pushback: error.pushback))
      }
    }
  }

  /// A gateway that is just starting is waited for.
  private static var options: CallOptions {
    var options = GatewayConnection.callOptions
    options.waitForReady = true
    return options
  }
}
