import GRPCCore
import GRPCInProcessTransport
import KartAPI
import KartTesting
import Synchronization
import Testing

@testable import Gateway

@Suite struct TelemetryForwarderTests {
  typealias Batch = Swiftkart_Telemetry_V1_RecordRequest
  typealias Client = Swiftkart_Telemetry_V1_RaceTelemetryService.Client<InProcessTransport.Client>

  /// A tracker that fails as it is told to before it takes batches.
  private final class Tracker: Swiftkart_Telemetry_V1_RaceTelemetryService.SimpleServiceProtocol {
    private let failures: Mutex<[RPCError.Code]>
    private let taken = Mutex<[[UInt64]]>([])
    let isCalled = Latch<Void>()

    init(_ failures: [RPCError.Code]) { self.failures = Mutex(failures) }

    /// The numbers that each call brought.
    var calls: [[UInt64]] { taken.withLock { $0 } }

    func record(
      request: RPCAsyncSequence<Batch, any Error>, context: ServerContext
    ) async throws -> Swiftkart_Telemetry_V1_RecordResponse {
      var numbers: [UInt64] = []
      for try await batch in request { numbers.append(batch.number) }
      taken.withLock { $0.append(numbers) }
      isCalled.close(with: ())
      if let code = failures.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
        throw RPCError(code: code, message: "as told")
      }
      let last = numbers.last ?? 0
      return .with { $0.durableThrough = last }
    }

    func getProgress(
      request: Swiftkart_Telemetry_V1_GetProgressRequest, context: ServerContext
    ) async throws -> Swiftkart_Telemetry_V1_GetProgressResponse { .init() }
  }

  private static func batch(
    _ number: UInt64, of race: String = "Race", by producer: String = "test"
  ) -> Batch {
    .with {
      $0.raceName = race
      $0.producerID = producer
      $0.number = number
      $0.observations = [.with { $0.competitor.kartNumber = 7 }]
    }
  }

  private func record(
    _ race: String, _ count: UInt64, through tracker: Tracker, schedule: ScriptedSchedule = .init()
  ) async throws -> UInt64 {
    try await record(
      (0..<count).map { Self.batch($0 + 1, of: race) }, through: tracker, schedule: schedule)
  }

  /// - Parameter waits: Whether the second batch is sent when a tracker has the first.
  private func record(
    _ batches: [Batch], through tracker: Tracker, schedule: ScriptedSchedule = .init(),
    waits: Bool = false
  ) async throws -> UInt64 {
    let (back, lookups, front) = (
      InProcessTransport(clock: ManualClock()), InProcessTransport(clock: ManualClock()),
      InProcessTransport(clock: ManualClock())
    )
    let clock = ManualClock()
    let time = GatewayClock(now: { .now }, sleep: { try await clock.sleep(for: $0) })
    return try await clock.hurrying {
      try await withGRPCServer(transport: back.server, services: [tracker]) { _ in
        try await withGRPCServer(transport: lookups.server, services: [schedule]) { _ in
          try await withGRPCClient(transport: back.client) { trackers in
            try await withGRPCClient(transport: lookups.client) { schedule in
              let forwarder = Forwarder(
                forwarder: TelemetryForwarder(
                  client: trackers, races: RecordableRaces(ScheduledRaces(client: schedule)),
                  clock: time))
              return try await withGRPCServer(transport: front.server, services: [forwarder]) {
                server in
                defer { server.beginGracefulShutdown() }
                return try await withGRPCClient(transport: front.client) { client in
                  try await Client(wrapping: client).record { writer in
                    for batch in batches {
                      try await writer.write(batch)
                      if waits { try await tracker.isCalled.value }
                    }
                  }.durableThrough
                }
              }
            }
          }
        }
      }
    }
  }

  private struct Forwarder: RegistrableRPCService {
    let forwarder: TelemetryForwarder<InProcessTransport.Client, InProcessTransport.Client>

    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
      forwarder.register(with: &router)
    }
  }

  @Test func everyBatchIsPassedOnAndTheLastAnswerIsTheAnswer() async throws {
    let tracker = Tracker([])
    #expect(try await record("Race", 5, through: tracker) == 5)
    #expect(tracker.calls.flatMap(\.self) == [1, 2, 3, 4, 5])
  }

  @Test(arguments: [RPCError.Code.unavailable, .deadlineExceeded, .internalError, .unknown])
  func whatATrackerDidNotAcknowledgeGoesToAnother(code: RPCError.Code) async throws {
    let tracker = Tracker([code, code])
    #expect(try await record("Race", 3, through: tracker) == 3)
    let calls = tracker.calls
    #expect(calls.count >= 3)
    #expect(calls[0] == calls[1] && calls[1] == calls[2])
  }

  @Test func aRefusalIsPassedOn() async throws {
    let tracker = Tracker([.failedPrecondition])
    let error = await #expect(throws: RPCError.self) {
      _ = try await record("Race", 1, through: tracker)
    }
    #expect(error?.code == .failedPrecondition)
    #expect(tracker.calls.count == 1)
  }

  @Test func aRaceThatIsNotScheduledIsRefusedByItsName() async throws {
    let tracker = Tracker([])
    let error = await #expect(throws: RPCError.self) {
      _ = try await record("Nowhere", 1, through: tracker)
    }
    #expect(error?.code == .notFound)
    #expect(error?.message.contains("\"Nowhere\"") == true)
    #expect(tracker.calls.isEmpty)
  }

  @Test(
    arguments: [
      batch(1, of: "Another"), batch(1, by: "another"),
      // Swift's strings are equal to these, and the log's names are not.
      batch(1, of: "Caf\u{e9}", by: "Caf\u{e9}"), batch(1, of: "Cafe\u{301}", by: "Caf\u{e9}"),
    ], [false, true])
  func aCallTakesOneProducersBatchesOfOneRace(other: Batch, waits: Bool) async throws {
    let tracker = Tracker([])
    let first = Self.batch(1, of: "Cafe\u{301}", by: "Cafe\u{301}")
    let error = await #expect(throws: RPCError.self) {
      _ = try await record(
        [first, other], through: tracker, schedule: ScriptedSchedule(race: first.raceName),
        waits: waits)
    }
    #expect(error?.code == .invalidArgument)
    // What was passed on before stays so; it need not be where nobody waited for it.
    #expect(tracker.calls == [[1]] || !waits && tracker.calls.isEmpty)
  }

  @Test func aScheduleThatCannotTellKeepsNothingOut() async throws {
    let tracker = Tracker([])
    let schedule = ScriptedSchedule(failingWith: .unavailable)
    #expect(try await record("Race", 2, through: tracker, schedule: schedule) == 2)
  }

  @Test func aRequestWithoutABatchIsAnsweredByATracker() async throws {
    let tracker = Tracker([])
    #expect(try await record("Race", 0, through: tracker) == 0)
    #expect(tracker.calls == [[]])
  }
}
