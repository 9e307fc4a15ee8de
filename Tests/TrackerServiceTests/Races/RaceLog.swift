import EventLoop
import KartAPI
import KartProcess
import KartTesting
import RaceRelay
import SwiftProtobuf

@testable import TrackerService

/// A telemetry log of its own for a test, and a producer that fills it.
struct RaceLog {
  static let race = "Finite Loops"

  let folder: TemporaryFolder
  let clock = ManualClock()
  let log: SQLiteTelemetryLog

  init() throws {
    folder = TemporaryFolder()
    log = try RaceLog.open(folder, clock: clock)
  }

  private static func open(
    _ folder: TemporaryFolder, clock: ManualClock
  ) throws -> SQLiteTelemetryLog {
    try SQLiteTelemetryLog(
      path: folder.file("telemetry.sqlite"), clock: clock, writing: EventLoopGroup.shared.next(),
      reading: EventLoopGroup.shared.next(),
      logger: Log("test", write: { _ in }))
  }

  /// The same log as another replica opens it.
  func reopened() throws -> SQLiteTelemetryLog {
    try RaceLog.open(folder, clock: clock)
  }

  /// A replica's races.
  func races(
    _ configuration: FollowedRaces.Configuration = .init(), log: SQLiteTelemetryLog? = nil
  ) -> FollowedRaces {
    FollowedRaces(
      log: log ?? self.log, configuration: configuration, loops: .shared, clock: clock,
      logger: Log("test", level: .error))
  }

  /// Appends batches that follow those there are.
  func append(
    _ batches: [Swiftkart_Telemetry_V1_RecordRequest], to race: String = race
  ) async throws {
    var number = try await log.progress(ofProducer: "test", inRace: race)
    var appends: [TelemetryBatch] = []
    for var batch in batches {
      number += 1
      batch.raceName = race
      batch.producerID = "test"
      batch.number = number
      appends.append(
        TelemetryBatch(
          race: race, producer: "test", number: number,
          record: try batch.serializedBytes()))
    }
    _ = try await log.append(appends)
  }
}

extension Swiftkart_Telemetry_V1_RecordRequest {
  /// A session starts.
  static func start(laps: Int32 = 6) -> Self {
    .with {
      $0.observations = [
        .with {
          $0.observedAt.seconds = 1_780_938_000
          $0.sessionStart.kind = .race
          $0.sessionStart.laps = laps
        }
      ]
    }
  }

  /// A kart is seen, a metre or so further north with each tick of 100 ms.
  static func location(kart: Int32, tick: Int) -> Self {
    .with {
      $0.observations = [
        .with {
          $0.observedAt.seconds = 1_780_938_000 + Int64(tick / 10)
          $0.observedAt.nanos = Int32(tick % 10) * 100_000_000
          $0.location.kartNumber = kart
          $0.location.latitude = 37.3349 + Double(tick) * 0.00001
          $0.location.longitude = -122.0090
        }
      ]
    }
  }

  /// A kart completes a lap, at so many seconds of the session.
  static func crossing(kart: Int32, lap: Int32, at seconds: Int64) -> Self {
    .with {
      $0.observations = [
        .with {
          $0.observedAt.seconds = 1_780_938_000 + seconds
          $0.crossing.kartNumber = kart
          $0.crossing.lap = lap
          $0.crossing.totalTime.seconds = seconds
        }
      ]
    }
  }
}
