import GRPCCore
import KartAPI
import KartProcess
import RaceControl
import RaceFeeds
import SwiftProtobuf

/// The demo's races, driven by the simulator for ever.
struct DemoFeed<Gateway: ClientTransport>: Sendable {
  static var producer: String { "demo" }

  let feed: RaceFeed<Gateway>
  /// Decides everything that is left to chance.
  let seed: UInt64
  /// The time by which karts are seen.
  var now: @Sendable () -> UTCInstant = { UTCInstant.now }

  /// Feeds every race of the demo until the task is cancelled, or one of them fails.
  func run() async throws {
    try await withThrowingDiscardingTaskGroup { group in
      for (index, race) in DemoRace.all.enumerated() {
        group.addTask { try await run(race, seed: seed &+ UInt64(index)) }
      }
    }
  }

  private func run(_ race: DemoRace, seed: UInt64) async throws {
    try await feed.schedule(
      .with {
        $0.name = race.name
        $0.location = race.location
        $0.startTime = Google_Protobuf_Timestamp(now())
        $0.laps = race.laps
        $0.championship = race.championship
        $0.drivers = race.drivers
      }, named: race.name)
    try await feed.run(race: race.name, producer: Self.producer, numbering: .continuing) { send in
      // Not before what comes above, which takes its time: karts are seen when they are told of.
      let clock = ContinuousClock()
      let (start, began) = (now(), clock.now)
      var simulator = race.simulator(seed: seed, start: start)
      while true {
        let (batch, at) = simulator.next()
        try await clock.sleep(until: began + start.duration(to: at))
        try await send(batch)
      }
    }
  }
}
