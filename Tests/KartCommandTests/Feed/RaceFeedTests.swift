import GRPCCore
import KartAPI
import KartProcess
import KartTesting
import RaceControl
import Synchronization
import Testing

@testable import KartCommand

struct RaceFeedTests {
  /// A schedule that is too busy at first, and then has a race of eight laps.
  private final class BusySchedule: RegistrableRPCService {
    typealias Service = Swiftkart_Schedule_V1_RaceScheduleService

    private let refusals: Mutex<[RPCError]>

    init(_ refusals: [RPCError]) {
      self.refusals = Mutex(refusals)
    }

    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
      router.registerUnaryHandler(
        forMethod: Service.Method.GetRace.descriptor, deserializer: SerializedMessages(),
        serializer: SerializedMessages()
      ) { [self] _, _ in
        if let error = refusals.withLock({ $0.popLast() }) { throw error }
        let race = Swiftkart_Schedule_V1_GetRaceResponse.with { $0.race.race.laps = 8 }
        return ServerResponse(message: try race.serializedBytes())
      }
    }
  }

  private func schedule(laps: Int32, after refusals: [RPCError] = []) async throws -> [String] {
    let lines = Mutex<[String]>([])
    let log = Log("test", write: { line in lines.withLock { $0.append(line) } })
    let clock = ManualClock()
    try await withClient(of: [BusySchedule(refusals)]) { client in
      let feed = RaceFeed(client: client, log: log, clock: clock)
      try await clock.hurrying { try await feed.schedule(.with { $0.laps = laps }, named: "Race") }
    }
    return lines.withLock { $0 }
  }

  @Test func aBusyScheduleIsAskedAgain() async throws {
    let busy = RPCError(
      code: .resourceExhausted, message: "try again later",
      metadata: ["grpc-retry-pushback-ms": "200"])
    let away = RPCError(code: .unavailable, message: "")
    let lines = try await schedule(laps: 8, after: [busy, away, busy])
    #expect(lines.count == 2)
    #expect(lines.first?.contains("error test asking the schedule fails race=Race") == true)
    #expect(lines.last?.contains("asking the schedule works again") == true)
  }

  @Test func anotherFailureEndsIt() async {
    let error = await #expect(throws: RPCError.self) {
      _ = try await schedule(laps: 8, after: [RPCError(code: .permissionDenied, message: "")])
    }
    #expect(error?.code == .permissionDenied)
  }

  @Test(arguments: [(8, false), (0, false), (5, true)])
  func anotherDistanceIsWarnedOf(laps: Int32, warns: Bool) async throws {
    let lines = try await schedule(laps: laps)
    #expect(
      lines.contains { $0.contains("another distance race=Race laps=5 scheduled_laps=8") } == warns)
    #expect(lines.count == (warns ? 1 : 0))
  }

  @Test func aLongNameIsCutAtACharacterAndNoted() async throws {
    let service = ScriptedTelemetry()
    let lines = Mutex<[String]>([])
    let log = Log("test", write: { line in lines.withLock { $0.append(line) } })
    // A flag has eight bytes, so that 199 are left of what is before it.
    let names = ["Monty", String(repeating: "x", count: 199) + "🇨🇭" + "y"]
    try await withClient(of: [service]) { client in
      let feed = RaceFeed(client: client, log: log)
      try await feed.run(race: "Race", producer: "test", numbering: .continuing) { send in
        try await send(
          Batch(
            names.enumerated().map { index, name in
              Observation(
                observedAt: UTCInstant(seconds: 1, nanoseconds: 0),
                kind: .competitor(
                  .init(kartNumber: Int32(index + 1), name: name, registration: "")))
            }))
      }
    }
    let told = service.batches.flatMap { $0.observations.map(\.competitor.name) }
    #expect(told == ["Monty", String(repeating: "x", count: 199)])
    #expect(
      lines.withLock { $0 }.contains {
        $0.contains("long names are cut race=Race names=1 kart=2 bytes=200")
      })
  }

  @Test(arguments: [
    ("200", Duration.milliseconds(200)), ("0", .zero), ("99999999", .seconds(60)), ("-1", nil),
    ("soon", nil), (nil, nil),
  ])
  func whatAServerAsksForIsWaitedAtLeast(text: String?, pushback: Duration?) {
    var error = RPCError(code: .resourceExhausted, message: "")
    if let text { error.metadata = ["grpc-retry-pushback-ms": "\(text)"] }
    #expect(error.pushback == pushback)
    var backoff = Backoff(first: .milliseconds(10))
    #expect(backoff.wait(pushback: error.pushback) >= pushback ?? .zero)
  }
}
