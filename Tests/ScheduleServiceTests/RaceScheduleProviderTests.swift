import EventLoop
import FoundationEssentials
import GRPCCore
import GRPCInProcessTransport
import KartAPI
import KartProcess
import KartTesting
import SwiftProtobuf
import Testing

@testable import ScheduleService

@Suite struct RaceScheduleProviderTests {
  typealias Service = Swiftkart_Schedule_V1_RaceScheduleService
  typealias Client = Service.Client<InProcessTransport.Client>

  let folder: TemporaryFolder

  init() throws {
    folder = TemporaryFolder()
  }

  private func withClient(
    _ body: @Sendable @escaping (Client) async throws -> Void
  ) async throws {
    let schedule = try Schedule(
      path: folder.file("schedule.sqlite"), thread: EventLoopGroup.shared.next(),
      logger: Log("test", write: { _ in }))
    let provider = RaceScheduleProvider(
      schedule: schedule, now: { Date(timeIntervalSince1970: 1_000.5) })
    let transport = InProcessTransport()
    try await withGRPCServer(transport: transport.server, services: [provider]) { _ in
      try await withGRPCClient(transport: transport.client) { client in
        try await body(Client(wrapping: client))
      }
    }
  }

  private static func race(_ name: String, start: Int64 = 1) -> Race {
    .with {
      $0.name = name
      $0.location = "Apple Park, Cupertino"
      $0.startTime.seconds = start
      $0.laps = 6
      $0.championship = "Corporate Cup"
      $0.drivers = ["Monty", "Pepper"]
    }
  }

  @Test func aRaceIsCreatedChangedFinishedAndDeleted() async throws {
    try await withClient { client in
      var race = Self.race("Duck Pond Dash")
      let created = try await client.createRace(.with { $0.race = race })
      #expect(created.race.race == race)
      #expect(!created.race.hasFinishedAt)
      race.laps = 8
      let updated = try await client.updateRace(.with { $0.race = race })
      #expect(updated.race.race.laps == 8)
      let finished = try await client.finishRace(.with { $0.name = race.name })
      #expect(finished.race.finishedAt.seconds == 1_000)
      #expect(finished.race.finishedAt.nanos == 500_000_000)
      #expect(try await client.getRace(.with { $0.name = race.name }).race == finished.race)
      _ = try await client.deleteRace(.with { $0.name = race.name })
      await expect(.notFound, "There is no race \"Duck Pond Dash\".") {
        _ = try await client.getRace(.with { $0.name = "Duck Pond Dash" })
      }
    }
  }

  @Test func upcomingRacesAreListedAsTheContractSays() async throws {
    try await withClient { client in
      let races = (0..<120).map { Self.race("race \($0 + 1_000)", start: 200 - Int64($0)) }
      _ = try await client.importRaces(
        .with { $0.races = races.map { race in .with { $0.race = race } } })
      _ = try await client.finishRace(.with { $0.name = "race 1119" })
      let expected = races.dropLast().reversed()
      #expect(try await client.listUpcomingRaces(.init()).races == Array(expected.prefix(100)))
      for limit in [1, 0, 119, 5_000] as [Int32] {
        let listed = try await client.listUpcomingRaces(.with { $0.limit = limit })
        #expect(listed.races == Array(expected.prefix(Int(limit))))
      }
      await expect(.invalidArgument, "limit is -1; leave it unset") {
        _ = try await client.listUpcomingRaces(.with { $0.limit = -1 })
      }
    }
  }

  @Test func everyRaceIsListedInPages() async throws {
    try await withClient { client in
      let names = (0..<25).map { "race \($0 + 10)" }
      _ = try await client.importRaces(
        .with { $0.races = names.map { name in .with { $0.race = Self.race(name) } } })
      _ = try await client.finishRace(.with { $0.name = names[3] })
      var seen: [String] = []
      var token = ""
      repeat {
        let page = try await client.listScheduledRaces(
          .with {
            $0.pageSize = 10
            $0.pageToken = token
          })
        seen += page.races.map(\.race.name)
        token = page.nextPageToken
      } while !token.isEmpty
      #expect(seen == names)
      for size in [0, -1, 1_001] as [Int32] {
        await expect(.invalidArgument, "page_size is \(size)") {
          _ = try await client.listScheduledRaces(.with { $0.pageSize = size })
        }
      }
      await expect(.invalidArgument, "page_token is none") {
        _ = try await client.listScheduledRaces(.with { $0.pageToken = "x" })
      }
    }
  }

  @Test func anImportIsWholeOrNothing() async throws {
    try await withClient { client in
      _ = try await client.createRace(.with { $0.race = Self.race("a") })
      let result = try await client.importRaces(
        .with {
          $0.races = ["a", "b"].map { name in
            .with {
              $0.race = Self.race(name)
              $0.finishedAt.seconds = 7
            }
          }
        })
      #expect(result.created == 1)
      #expect(result.replaced == 1)
      #expect(try await client.listUpcomingRaces(.init()).races.isEmpty)
      await expect(.invalidArgument, "races[1].race.name is empty") {
        _ = try await client.importRaces(
          .with { $0.races = ["c", ""].map { name in .with { $0.race = Self.race(name) } } })
      }
      await expect(.invalidArgument, "races[1].race.name is \"c\" for a second time") {
        _ = try await client.importRaces(
          .with { $0.races = ["c", "c"].map { name in .with { $0.race = Self.race(name) } } })
      }
      let alike = ["Caf\u{e9}", "Cafe\u{301}"]
      let both = try await client.importRaces(
        .with { $0.races = alike.map { name in .with { $0.race = Self.race(name) } } })
      #expect(both.created == 2)
      await expect(.invalidArgument, "races[0].race is missing") {
        _ = try await client.importRaces(.with { $0.races = [.init()] })
      }
      await expect(.notFound, "There is no race \"c\".") {
        _ = try await client.getRace(.with { $0.name = "c" })
      }
    }
  }

  static let faults: [(String, @Sendable (inout Race) -> Void)] = [
    ("race.name is empty", { $0.name = "" }),
    ("race.name has 201 bytes", { $0.name = String(repeating: "x", count: 201) }),
    ("race.name has a control character", { $0.name = "a\nb" }),
    ("race.name begins or ends with a space", { $0.name = " a" }),
    ("race.name has no visible character", { $0.name = "\u{200b}" }),
    ("race.name has no visible character", { $0.name = "\u{feff}\u{2060} \u{ad}" }),
    ("race.name has no visible character", { $0.name = "\u{3164}\u{2800}" }),
    ("race.drivers[0] has no visible character", { $0.drivers = ["\u{e0020}"] }),
    ("race.location has a control character", { $0.location = "\u{7f}" }),
    ("race.location has a control character", { $0.location = "\u{9b}2J" }),
    ("race.drivers[0] has a control character", { $0.drivers = ["Mon\u{202e}ty"] }),
    ("race.championship begins or ends with a space", { $0.championship = "Cup " }),
    ("race.start_time is missing", { $0.clearStartTime() }),
    ("race.start_time is not a time", { $0.startTime.seconds = .max }),
    ("race.start_time is not a time", { $0.startTime.nanos = -1 }),
    ("race.laps is 0", { $0.clearLaps() }),
    ("race.laps is -3", { $0.laps = -3 }),
    ("race.laps is 10001", { $0.laps = 10_001 }),
    ("race.drivers[1] is empty", { $0.drivers = ["Monty", ""] }),
    ("race.drivers has 201 entries", { $0.drivers = Array(repeating: "Bo", count: 201) }),
  ]

  @Test func aBadFieldIsNamed() async throws {
    try await withClient { client in
      for (message, spoil) in Self.faults {
        var race = Self.race("a")
        spoil(&race)
        let spoiled = race
        await expect(.invalidArgument, message) {
          _ = try await client.createRace(.with { $0.race = spoiled })
        }
      }
      await expect(.invalidArgument, "race.name is empty") {
        _ = try await client.updateRace(.init())
      }
      await expect(.invalidArgument, "name is empty") { _ = try await client.getRace(.init()) }
      await expect(.notFound, "There is no race \"a\\u{1b}[31mb\".") {
        _ = try await client.getRace(.with { $0.name = "a\u{1b}[31mb" })
      }
    }
  }

  @Test func whatExistsIsNotCreatedAndWhatDoesNotIsNotChanged() async throws {
    try await withClient { client in
      _ = try await client.createRace(.with { $0.race = Self.race("a") })
      await expect(.alreadyExists, "There is a race \"a\" already") {
        _ = try await client.createRace(.with { $0.race = Self.race("a") })
      }
      await expect(.notFound, "There is no race \"b\".") {
        _ = try await client.updateRace(.with { $0.race = Self.race("b") })
      }
      await expect(.notFound, "There is no race \"b\".") {
        _ = try await client.deleteRace(.with { $0.name = "b" })
      }
      await expect(.notFound, "There is no race \"b\".") {
        _ = try await client.finishRace(.with { $0.name = "b" })
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
      error?.message.hasPrefix(message) == true, "\(error?.message ?? "")",
      sourceLocation: sourceLocation)
  }
}
