import EventLoop
import GRPCCore
import GRPCInProcessTransport
import KartProcess
import KartTesting
import ScheduleService
import Synchronization
import Testing

@testable import KartCommand

struct ScheduleTransferTests {
  typealias Transfer = ScheduleTransfer<InProcessTransport.Client>

  private func withTransfer(
    _ body: @escaping @Sendable (Transfer) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let schedule = try Schedule(
      path: folder.file("schedule.sqlite"), thread: EventLoopGroup.shared.next(),
      logger: Log("test", write: { _ in }))
    try await withClient(of: [RaceScheduleProvider(schedule: schedule)]) { client in
      try await body(Transfer(service: .init(wrapping: client)))
    }
  }

  private func race(_ index: Int, laps: Int32 = 6) -> RaceFile.ScheduledRace {
    .with {
      $0.race.name = "Race \(index)"
      $0.race.laps = laps
      $0.race.startTime.seconds = Int64(index)
    }
  }

  private func names(_ transfer: Transfer) async throws -> [String] {
    var names: [String] = []
    try await transfer.forEachRace { names.append($0.race.name) }
    return names
  }

  @Test func bringsAnyNumberInAndOutInOrder() async throws {
    try await withTransfer { transfer in
      let races = (0..<2500).map { race($0) }
      let seen = Mutex<[Int]>([])
      let outcome = try await transfer.importRaces(races.shuffled()) { outcome in
        seen.withLock { $0.append(outcome.total) }
      }
      #expect(outcome == .init(created: 2500, replaced: 0))
      #expect(seen.withLock { $0 } == [1000, 2000, 2500])
      #expect(try await names(transfer) == races.map(\.race.name))
    }
  }

  @Test func theSameImportAgainChangesNothing() async throws {
    try await withTransfer { transfer in
      let races = (0..<30).map { race($0) }
      _ = try await transfer.importRaces(races) { _ in }
      let outcome = try await transfer.importRaces(races) { _ in }
      #expect(outcome == .init(created: 0, replaced: 30))
      #expect(try await names(transfer) == races.map(\.race.name))
    }
  }

  @Test func largeRacesTakeMoreCalls() async throws {
    try await withTransfer { transfer in
      let driver = String(repeating: "x", count: 200)
      let races = (0..<300).map { index in
        var race = race(index)
        race.race.drivers = (0..<150).map { "\(driver.dropFirst(3))\($0)" }
        return race
      }
      _ = try await transfer.importRaces(races) { _ in }
      #expect(try await names(transfer) == races.map(\.race.name))
    }
  }

  @Test func aRaceThatIsNoneIsNamedByItsPlaceInTheFile() async throws {
    try await withTransfer { transfer in
      var races = (0..<1200).map { race($0) }
      races[1100] = race(1100, laps: 0)
      let error = await #expect(throws: Transfer.Interrupted.self) {
        _ = try await transfer.importRaces(races) { _ in }
      }
      let text = try #require(error.map { "\($0)" })
      #expect(text.contains("races[1100] (\"Race 1100\"): laps is 0; "), "\(text)")
      // Nothing is imported of a file that is not right as a whole.
      #expect(try await names(transfer).isEmpty)
    }
  }

  @Test func aNameThatComesTwiceIsRefusedBeforeAnythingIsImported() async throws {
    try await withTransfer { transfer in
      let races = (0..<1500).map { race($0) } + [race(3)]
      let error = await #expect(throws: RaceFile.Malformed.self) {
        _ = try await transfer.importRaces(races) { _ in }
      }
      let text = error.map { "\($0)" }
      #expect(text == "races[1500] has the name \"Race 3\", which races[3] has already")
      let names = try await names(transfer)
      #expect(names.isEmpty)
    }
  }

  @Test func anEmptyScheduleIsExportedAsOne() async throws {
    try await withTransfer { transfer in
      let names = try await names(transfer)
      #expect(names.isEmpty)
    }
  }
}
