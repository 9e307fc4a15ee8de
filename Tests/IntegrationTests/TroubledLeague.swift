import GRPCCore
import GRPCHTTP2Transport
import Glibc
import KartAPI
import KartTesting
import MeshTesting
import Synchronization
import Testing

/// The processes around a tracker service of a test's own, at `trackers/troubled.sock`, and clients of their gateway.
struct TroubledLeague: Sendable {
  private typealias Races = SwiftKartService.Client<HTTP2ClientTransport>
  private typealias Schedule = Swiftkart_Schedule_V1_RaceScheduleService.Client
  private typealias Telemetry = Swiftkart_Telemetry_V1_RaceTelemetryService.Client
  private typealias Admin = Swiftkart_Mesh_V1_MeshAdminService.Client

  let client: GRPCClient<HTTP2ClientTransport>
  private let folder: TemporaryFolder
  private let processes: [RunningProcess]
  private let admin: GRPCClient<HTTP2ClientTransport>
  /// Which of the gateway's channels the troubled calls are made on.
  private let upstream: String
  private let counter = RaceCounter()

  init(in folder: TemporaryFolder, troubled: TroubledTracker.Method) throws {
    self.folder = folder
    upstream = troubled == .subscribe ? "trackers" : "telemetry"
    let port = try Mesh.freePort()
    processes = [
      try RunningProcess(
        try Installation.executable("schedule-service"),
        [
          "--listen", "unix:\(folder.file("schedule.sock"))", "--database",
          folder.file("schedule.sqlite"),
        ]),
      try RunningProcess(
        try Installation.executable("tracker-service"),
        [
          "--listen", "unix:\(folder.file("trackers/healthy.sock"))", "--database",
          folder.file("telemetry.sqlite"),
        ]),
      try RunningProcess(
        try Installation.executable("gateway"),
        [
          "--listen", "ipv4:127.0.0.1:\(port)", "--schedule",
          "unix:\(folder.file("schedule.sock"))", "--trackers",
          "unix-dir:\(folder.file("trackers"))", "--admin", "unix:\(folder.file("admin.sock"))",
        ]),
    ]
    var configuration = HTTP2ClientTransport.Configuration.defaults
    configuration.backoff = ConnectionBackoff(
      initial: .milliseconds(20), maximum: .milliseconds(100))
    client = GRPCClient.managed(
      transport: try HTTP2ClientTransport(
        target: "ipv4:127.0.0.1:\(port)", configuration: configuration))
    admin = GRPCClient.managed(
      transport: try HTTP2ClientTransport(
        target: "unix:\(folder.file("admin.sock"))", configuration: configuration))
  }

  /// Ends the processes.
  func end() async throws {
    admin.beginGracefulShutdown()
    for process in processes {
      process.send(signal: SIGTERM)
      #expect(try await process.exit == .status(0), "\(process.transcript)")
    }
  }

  private static var options: CallOptions {
    var options = CallOptions.defaults
    options.waitForReady = true
    return options
  }

  // MARK: Races

  /// A race that nobody has recorded or followed.
  func nextRace() throws -> String { try #require(counter.next(), "There are no races left.") }

  /// Schedules all of them.
  func schedule() async throws {
    _ = try await Schedule(wrapping: client).importRaces(
      .with {
        $0.races = RaceCounter.names.map { name in
          .with {
            $0.race = .with {
              $0.name = name
              $0.location = "Hall"
              $0.startTime = .init(seconds: 4_000_000_000)
              $0.laps = 10
            }
          }
        }
      }, options: Self.options)
  }

  /// Records and follows new races, until each has had an event.
  func begin(races count: Int) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<count {
        let race = try nextRace()
        group.addTask { try await run(race, until: nil) }
      }
      try await group.waitForAll()
    }
  }

  /// Records and follows a race: each event that comes has the next one recorded.
  ///
  /// - Parameter end: When there have been enough; nil after the first.
  func run(_ race: String, until end: Latch<Void>?) async throws {
    try await record(1, of: race)
    let hasLeft = Latch<Void>()
    try await Races(wrapping: client).followRace(options: Self.options) { writer in
      try await writer.write(
        .with {
          $0.raceName = race
          $0.eventTypes = [.standings]
        })
      try await hasLeft.value
    } onResponse: { response in
      defer { hasLeft.close(with: ()) }
      var number: UInt64 = 0
      for try await event in response.messages {
        number += 1
        #expect(event.sequence == number, "\(race)")
        guard let end, end.current == nil else { return }
        try await record(number + 1, of: race)
      }
      Issue.record("\(race) is followed no more.")
    }
  }

  /// Records one event.
  private func record(_ number: UInt64, of race: String) async throws {
    let response = try await Telemetry(wrapping: client).record(options: Self.options) { writer in
      try await writer.write(
        .with {
          $0.raceName = race
          $0.producerID = "test"
          $0.number = number
          $0.observations = [
            .with {
              $0.observedAt = .init(seconds: 4_000_000_000)
              $0.sessionStart.kind = .race
            }
          ]
        })
    }
    #expect(response.durableThrough == number, "\(race)")
  }

  // MARK: What the gateway thinks of it

  /// How the gateway sees the tracker service that is the test's.
  var troubled: Swiftkart_Mesh_V1_Endpoint {
    get async throws {
      let status = try await Admin(wrapping: admin).getStatus(.init(), options: Self.options)
      let endpoints = status.upstreams.first { $0.name == upstream }?.endpoints ?? []
      return try #require(endpoints.first { $0.address.hasSuffix("/troubled.sock") })
    }
  }
}

/// Deals out races' names.
private final class RaceCounter: Sendable {
  static let names = (0..<1000).map { "Race \($0)" }
  private let used = Mutex(0)

  /// nil after the last.
  func next() -> String? {
    used.withLock { used in
      guard used < Self.names.count else { return nil }
      defer { used += 1 }
      return Self.names[used]
    }
  }
}
