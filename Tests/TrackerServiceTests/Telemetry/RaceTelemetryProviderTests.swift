import GRPCCore
import GRPCInProcessTransport
import KartAPI
import SwiftProtobuf
import Testing

@testable import TrackerService

@Suite struct RaceTelemetryProviderTests {
  typealias Request = Swiftkart_Telemetry_V1_RecordRequest
  typealias Client = Swiftkart_Telemetry_V1_RaceTelemetryService.Client<InProcessTransport.Client>

  let race: RaceLog

  init() throws {
    race = try RaceLog()
  }

  private func withClient(
    _ body: @Sendable @escaping (Client) async throws -> Void
  ) async throws {
    let transport = InProcessTransport()
    try await withGRPCServer(
      transport: transport.server, services: [RaceTelemetryProvider(log: race.log)]
    ) { _ in
      try await withGRPCClient(transport: transport.client) { client in
        try await body(Client(wrapping: client))
      }
    }
  }

  private static func batch(
    _ number: UInt64, producer: String = "test", race: String = RaceLog.race,
    _ content: Request = .location(kart: 1, tick: 1)
  ) -> Request {
    var batch = content
    batch.raceName = race
    batch.producerID = producer
    batch.number = number
    return batch
  }

  @Test func whatIsAnsweredIsInTheLog() async throws {
    try await withClient { client in
      let batches = (1...300).map { Self.batch($0) }
      let response = try await client.record { writer in
        try await writer.write(contentsOf: batches)
      }
      #expect(response.durableThrough == 300)
      let logged = try await race.log.batches(
        ofRace: RaceLog.race, after: 0, through: .max, limit: .max)
      let records = try logged.map { try Request(serializedBytes: $0.record) }
      #expect(records == batches)
      let progress = try await client.getProgress(
        .with {
          $0.raceName = RaceLog.race
          $0.producerID = "test"
        })
      #expect(progress.durableThrough == 300)
    }
  }

  @Test func aResendChangesNothing() async throws {
    try await withClient { client in
      for (numbers, durable) in [(1...3, 3), (2...5, 5), (1...1, 5)] {
        let response = try await client.record { writer in
          for number in numbers { try await writer.write(Self.batch(UInt64(number))) }
        }
        #expect(response.durableThrough == UInt64(durable))
      }
      #expect(try await race.log.head() == 5)
    }
  }

  @Test func nothingSentIsNothingDurable() async throws {
    try await withClient { client in
      #expect(try await client.record { _ in }.durableThrough == 0)
      let progress = try await client.getProgress(
        .with {
          $0.raceName = "Nowhere"
          $0.producerID = "nobody"
        })
      #expect(progress.durableThrough == 0)
    }
  }

  @Test func aGapIsAFailedPreconditionAndWhatIsBeforeItStays() async throws {
    try await withClient { client in
      await expect(.failedPrecondition, "where number 3 is expected") {
        _ = try await client.record { writer in
          for number in [1, 2, 4] as [UInt64] { try await writer.write(Self.batch(number)) }
        }
      }
      let durable = try await race.log.progress(ofProducer: "test", inRace: RaceLog.race)
      #expect(durable == 2)
    }
  }

  static let faults: [(String, @Sendable (inout Request) -> Void)] = [
    ("race_name is empty", { $0.raceName = "" }),
    ("producer_id is empty", { $0.producerID = "" }),
    ("race_name has 201 bytes", { $0.raceName = String(repeating: "x", count: 201) }),
    ("number is 0", { $0.number = 0 }),
    (
      "observations has 10001 entries",
      { $0.observations = Array(repeating: .init(), count: 10_001) }
    ),
    ("observations[0].observed_at is missing", { $0.observations[0].clearObservedAt() }),
    ("observations[0].observed_at is not", { $0.observations[0].observedAt.nanos = -1 }),
    ("observations[0].kind is missing", { $0.observations[0].kind = nil }),
    (
      "observations[0].location.kart_number is missing",
      { $0.observations[0].location.clearKartNumber() }
    ),
    (
      "observations[0].location.latitude is missing",
      { $0.observations[0].location.clearLatitude() }
    ),
    ("observations[0].session_start.kind is missing", { $0.observations[0].sessionStart.laps = 1 }),
    (
      "observations[0].session_start.kind is 9",
      { $0.observations[0].sessionStart.kind = .UNRECOGNIZED(9) }
    ),
    ("observations[0].flag.flag is 9", { $0.observations[0].flag.flag = .UNRECOGNIZED(9) }),
    (
      "observations[0].crossing.total_time is not a length of time",
      {
        $0.observations[0].crossing.kartNumber = 1
        $0.observations[0].crossing.lap = 1
        $0.observations[0].crossing.totalTime.seconds = .min
      }
    ),
    (
      "observations[0].location.kart_number is -1; a kart's number is not negative",
      { $0.observations[0].location.kartNumber = -1 }
    ),
    (
      "observations[1].crossing.kart_number is -2147483648",
      { $0.observations += Request.crossing(kart: .min, lap: 1, at: 40).observations }
    ),
    (
      "observations[1].crossing.lap is 2147483647; a race has 0 to 10000",
      { $0.observations += Request.crossing(kart: 1, lap: .max, at: 40).observations }
    ),
    (
      "observations[0].crossing.lap is -1",
      { $0 = Self.batch(1, .crossing(kart: 1, lap: -1, at: 40)) }
    ),
    ("observations[0].session_start.laps is 10001", { $0 = Self.batch(1, .start(laps: 10_001)) }),
    (
      "observations[0].correction.laps is 10001",
      {
        $0.observations[0].correction = .with {
          $0.kartNumber = 1
          $0.laps = 10_001
          $0.totalTime.seconds = 40
        }
      }
    ),
    (
      "observations[0].best_lap.lap is -1",
      {
        $0.observations[0].bestLap = .with {
          $0.kartNumber = 1
          $0.lap = -1
          $0.lapTime.seconds = 40
        }
      }
    ),
    (
      "observations tell of more than 200 karts; a race has at most so many",
      {
        $0.observations = (0...200).flatMap { Request.location(kart: $0, tick: 1).observations }
      }
    ),
  ]

  @Test func aBadFieldIsNamed() async throws {
    try await withClient { client in
      for (message, spoil) in Self.faults {
        var batch = Self.batch(1)
        spoil(&batch)
        let spoiled = batch
        await expect(.invalidArgument, message) {
          _ = try await client.record { try await $0.write(spoiled) }
        }
      }
      await expect(.invalidArgument, "race_name is empty") {
        _ = try await client.getProgress(.init())
      }
      let head = try await race.log.head()
      #expect(head == 0)
    }
  }

  @Test func asManyKartsAsARaceHasMayBeOfEachSession() async throws {
    try await withClient { client in
      var batch = Self.batch(1)
      batch.observations = (0..<200).flatMap { Request.location(kart: $0, tick: 1).observations }
      batch.observations += Request.start(laps: 10_000).observations
      batch.observations += (200..<400).flatMap {
        Request.crossing(kart: $0, lap: 10_000, at: 40).observations
      }
      let full = batch
      let response = try await client.record { try await $0.write(full) }
      #expect(response.durableThrough == 1)
    }
  }

  @Test(arguments: [("test", "Duck Pond Dash"), ("other", RaceLog.race)])
  func aCallTakesOneProducerAndOneRace(producer: String, name: String) async throws {
    try await withClient { client in
      await expect(.invalidArgument, "a call takes one producer's batches of one race") {
        _ = try await client.record { writer in
          try await writer.write(Self.batch(1))
          try await writer.write(Self.batch(1, producer: producer, race: name))
        }
      }
    }
  }

  private func expect(
    _ code: RPCError.Code, _ message: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
  ) async {
    let error = await #expect(throws: RPCError.self, sourceLocation: sourceLocation) {
      try await body()
    }
    #expect(error?.code == code, sourceLocation: sourceLocation)
    #expect(
      error?.message.contains(message) == true, "\(message): \(error?.message ?? "")",
      sourceLocation: sourceLocation)
  }
}
