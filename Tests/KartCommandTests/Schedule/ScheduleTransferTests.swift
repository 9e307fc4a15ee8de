import EventLoop
import GRPCCore
import GRPCInProcessTransport
import KartAPI
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
    let folder = TemporaryFolder()
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

  @Test func noNameOfTheFileSteersTheTerminal() async throws {
    try await withTransfer { transfer in
      var steering = race(0)
      steering.race.name = "A\u{1b}[31m"
      let races = [steering]
      let error = await #expect(throws: Transfer.Interrupted.self) {
        _ = try await transfer.importRaces(races) { _ in }
      }
      #expect(
        error?.failure.message == "races[0] (\"A\\u{1b}[31m\"): name has a control character")
    }
  }

  /// A schedule that answers some of its calls with errors, and keeps what the others bring.
  private final class FailingSchedule: RegistrableRPCService {
    typealias Service = Swiftkart_Schedule_V1_RaceScheduleService

    private struct State {
      var failures: [RPCError?]
      var names: [String] = []
      var calls = 0
    }

    private let state: Mutex<State>

    /// - Parameter failures: How each of the first calls fails; nil for well.
    init(_ failures: [RPCError?]) {
      state = Mutex(State(failures: failures))
    }

    var names: [String] { state.withLock { $0.names } }
    var calls: Int { state.withLock { $0.calls } }

    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
      router.registerUnaryHandler(
        forMethod: Service.Method.ImportRaces.descriptor, deserializer: SerializedMessages(),
        serializer: SerializedMessages()
      ) { [self] request, _ in
        let request = try Swiftkart_Schedule_V1_ImportRacesRequest(
          serializedBytes: request.message)
        try state.withLock { state in
          state.calls += 1
          let failure = state.failures.isEmpty ? nil : state.failures.removeFirst()
          if let failure { throw failure }
          if !request.validateOnly { state.names += request.races.map(\.race.name) }
        }
        let answer = Swiftkart_Schedule_V1_ImportRacesResponse.with {
          $0.created = request.validateOnly ? 0 : Int32(request.races.count)
        }
        return ServerResponse(message: try answer.serializedBytes())
      }
    }
  }

  private func importInto(_ schedule: FailingSchedule, count: Int) async throws -> Int {
    let clock = ManualClock()
    let told = Mutex(0)
    try await withClient(of: [schedule]) { client in
      let transfer = Transfer(
        service: .init(wrapping: client), clock: clock,
        onSilence: { _ in told.withLock { $0 += 1 } })
      let races = (0..<count).map { race($0) }
      try await clock.hurrying {
        _ = try await transfer.importRaces(races) { _ in }
      }
    }
    return told.withLock { $0 }
  }

  @Test func aCallThatIsNotAnsweredIsMadeAgain() async throws {
    let away = RPCError(code: .unavailable, message: "gone")
    let busy = RPCError(
      code: .resourceExhausted, message: "later", metadata: ["grpc-retry-pushback-ms": "200"])
    let schedule = FailingSchedule([away, nil, nil, nil, away, busy, away])
    #expect(try await importInto(schedule, count: 1500) == 2)
    #expect(schedule.names == (0..<1500).map { "Race \($0)" })
  }

  @Test(arguments: [
    (RPCError.Code.unavailable, Transfer.attempts), (.resourceExhausted, 1), (.dataLoss, 1),
  ])
  func anImportGivesUpInTheEnd(code: RPCError.Code, calls: Int) async throws {
    let failure = RPCError(code: code, message: "gone")
    let schedule = FailingSchedule(Array(repeating: failure, count: 100))
    let error = await #expect(throws: Transfer.Interrupted.self) {
      _ = try await importInto(schedule, count: 3)
    }
    #expect(error?.failure.code == code)
    #expect(schedule.calls == calls)
  }

  @Test func aRaceThatIsTooLargeIsNamed() async throws {
    try await withTransfer { transfer in
      var large = race(1)
      large.race.location = String(repeating: "x", count: 5_000_000)
      let races = [race(0), large]
      let error = await #expect(throws: RaceFile.Malformed.self) {
        _ = try await transfer.importRaces(races) { _ in }
      }
      let text = try #require(error.map { "\($0)" })
      #expect(text.hasPrefix("races[1] (\"Race 1\") has 5000"), "\(text)")
      #expect(text.hasSuffix(" bytes, and a race has at most 1048576"))
    }
  }

  @Test func anEmptyScheduleIsExportedAsOne() async throws {
    try await withTransfer { transfer in
      let names = try await names(transfer)
      #expect(names.isEmpty)
    }
  }
}
