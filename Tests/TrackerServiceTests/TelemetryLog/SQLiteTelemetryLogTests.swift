import EventLoop
import KartProcess
import KartTesting
import Testing

@testable import TrackerService

@Suite struct SQLiteTelemetryLogTests {
  let folder: TemporaryFolder
  let clock = ManualClock()

  init() throws {
    folder = TemporaryFolder()
  }

  private func log() throws -> SQLiteTelemetryLog {
    try SQLiteTelemetryLog(
      path: folder.file("telemetry.sqlite"), clock: clock, writing: EventLoopGroup.shared.next(),
      reading: EventLoopGroup.shared.next(),
      logger: Log("test", write: { _ in }))
  }

  private func batch(
    _ number: UInt64, _ race: String = "Finite Loops", _ producer: String = "loop"
  ) -> TelemetryBatch {
    TelemetryBatch(
      race: race, producer: producer, number: number, record: Array("\(race) \(number)".utf8))
  }

  private func durable(_ numbers: UInt64...) -> [AppendOutcome] {
    numbers.map { .durable(through: $0) }
  }

  @Test func aBatchIsLoggedOnceHoweverOftenItIsSent() async throws {
    let log = try log()
    #expect(try await log.append([batch(1), batch(2)]) == durable(1, 2))
    #expect(
      try await log.append([batch(1), batch(2), batch(3), batch(3)]) == [
        .durable(through: 2), .durable(through: 2), .durable(through: 3), .durable(through: 3),
      ])
    #expect(try await log.progress(ofProducer: "loop", inRace: "Finite Loops") == 3)
    let all = try await log.batches(ofRace: "Finite Loops", after: 0, through: .max, limit: .max)
    #expect(all.map(\.record) == [batch(1), batch(2), batch(3)].map(\.record))
  }

  @Test func aGapIsRefusedWithTheNumberThatIsMissing() async throws {
    let log = try log()
    #expect(
      try await log.append([batch(2), batch(1), batch(3)]) == [
        .gap(expected: 1), .durable(through: 1), .gap(expected: 2),
      ])
    #expect(try await log.progress(ofProducer: "loop", inRace: "Finite Loops") == 1)
    #expect(try await log.append([batch(.max)]) == [.gap(expected: 2)])
  }

  @Test func producersCountForThemselvesInEachRace() async throws {
    let log = try log()
    let batches = [
      batch(1), batch(1, "Finite Loops", "gps"), batch(1, "Duck Pond Dash"), batch(2),
    ]
    #expect(try await log.append(batches) == durable(1, 1, 1, 2))
    #expect(try await log.progress(ofProducer: "gps", inRace: "Finite Loops") == 1)
    #expect(try await log.progress(ofProducer: "gps", inRace: "Duck Pond Dash") == 0)
    #expect(try await log.progress(ofProducer: "gps", inRace: "Nowhere") == 0)
    #expect(
      try await log.batches(ofRace: "Duck Pond Dash", after: 0, through: .max, limit: .max).map(
        \.position) == [3])
  }

  @Test func batchesComeInPagesUpToAPosition() async throws {
    let log = try log()
    _ = try await log.append((1...5).map { batch($0) })
    func positions(after: LogPosition, through: LogPosition, limit: Int) async throws -> [Int64] {
      try await log.batches(ofRace: "Finite Loops", after: after, through: through, limit: limit)
        .map(\.position)
    }
    #expect(try await positions(after: 0, through: .max, limit: 1) == [1])
    #expect(try await positions(after: 1, through: .max, limit: 15) == [2, 3])
    #expect(try await positions(after: 1, through: 4, limit: .max) == [2, 3, 4])
    #expect(try await positions(after: 5, through: .max, limit: .max) == [])
    #expect(try await log.head() == 5)
  }

  @Test func manyProducersAppendAtOnce() async throws {
    let log = try log()
    try await withThrowingTaskGroup { group in
      for producer in 0..<8 {
        group.addTask {
          for number in 1...20 as ClosedRange<UInt64> {
            let outcome = try await log.append([batch(number, "Finite Loops", "p\(producer)")])
            #expect(outcome == [.durable(through: number)])
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(
      try await log.batches(ofRace: "Finite Loops", after: 0, through: .max, limit: .max).count
        == 160)
  }

  @Test func whatWasAppendedIsThereAfterReopening() async throws {
    _ = try await log().append([batch(1)])
    let log = try log()
    #expect(try await log.append([batch(1), batch(2)]) == durable(1, 2))
    #expect(try await log.head() == 2)
  }

  @Test func anAppendWakesWhoWaitsForIt() async throws {
    let log = try log()
    async let next = log.next(after: 0, patience: .seconds(1))
    await clock.sleepers()
    _ = try await log.append([batch(1)])
    #expect(try await next.map(\.position) == [1])
  }

  @Test func anotherProcessesAppendIsFoundAtTheNextPoll() async throws {
    let log = try log()
    let other = try self.log()
    async let next = log.next(after: 0, patience: .seconds(1))
    await clock.sleepers()
    _ = try await other.append([batch(1), batch(1, "Duck Pond Dash")])
    clock.advance(by: .milliseconds(20))
    #expect(try await next.map(\.race) == ["Finite Loops", "Duck Pond Dash"])
  }

  @Test func patienceEndsTheWait() async throws {
    let log = try log()
    _ = try await log.append([batch(1)])
    async let next = log.next(after: 1, patience: .milliseconds(40))
    for _ in 0..<2 {
      await clock.sleepers()
      clock.advance(by: .milliseconds(20))
    }
    #expect(try await next.isEmpty)
  }

  @Test func aLongLogIsReadToItsEnd() async throws {
    let log = try log()
    let large = [UInt8](repeating: 7, count: 400_000)
    _ = try await log.append(
      (1...5).map {
        TelemetryBatch(race: "Finite Loops", producer: "loop", number: $0, record: large)
      })
    var position: LogPosition = 0
    var answers = 0
    while position < 5 {
      position = try #require(
        await log.next(after: position, patience: .seconds(1)).last?.position)
      answers += 1
    }
    #expect(answers == 2)
    // And once more from the beginning, which was seen already.
    #expect(try await log.next(after: 0, patience: .zero).first?.position == 1)
  }

  @Test func theNewestCheckpointBeforeAnEventIsFound() async throws {
    let log = try log()
    let race = "Finite Loops"
    let checkpoints = [(0, 0), (10, 25), (30, 60)].map {
      RaceCheckpoint(position: LogPosition($0.0), events: UInt64($0.1))
    }
    for checkpoint in checkpoints + checkpoints {
      try await log.save(checkpoint, ofRace: race)
    }
    #expect(try await log.checkpoint(ofRace: race, notAfterEvent: nil) == checkpoints[2])
    #expect(try await log.checkpoint(ofRace: race, notAfterEvent: 60) == checkpoints[2])
    #expect(try await log.checkpoint(ofRace: race, notAfterEvent: 59) == checkpoints[1])
    #expect(try await log.checkpoint(ofRace: race, notAfterEvent: .max) == checkpoints[2])
    #expect(try await log.checkpoint(ofRace: "Nowhere", notAfterEvent: nil) == nil)
  }
}
