import Foundation
import KartTesting
import MeshTesting
import Testing

/// `kart feed rmonitor` with captures from real timing systems.
@Suite(
  .wholeMachine, .timeLimit(.minutes(15)),
  .enabled(
    if: FileManager.default.fileExists(atPath: Installation.captures), "the captures are not here"))
struct RMonitorTests {
  static let mock = "rmonitor_orbits_mock_race_6karts.txt"

  @Test func mockRaceEndsInItsOrder() async throws {
    let mesh = try await Mesh(trackers: 1, demo: false)
    try await schedule("Mock", laps: 8, on: mesh)
    let feed = try mesh.kart(
      "feed", "rmonitor", "--file", "\(Installation.captures)/\(Self.mock)", "--speed", "max",
      "--race", "Mock", "--session", "race", "--laps", "8")
    #expect(try await feed.exit == .status(0), "\(feed.transcript)")

    let follow = try mesh.kart("follow", "Mock", "--standings", "--json")
    let (_, line) = try await follow.output.first { $0.contains("\"standings\"") }
    let final = try JSONDecoder().decode(FollowedEvent.self, from: Data(line.utf8))
    let entries = try #require(final.standings?.entries)
    #expect(entries.map(\.kartNumber) == [3, 4, 1, 5, 6, 2])
    #expect(entries.map(\.lap) == [8, 8, 8, 8, 7, 7])
  }

  @Test(arguments: [
    "rmonitor_barber_2025_race_end.log", "rmonitor_roadamerica_2025_midrace_reset.log",
    "rmonitor_roadamerica_2025_race_start.log",
  ])
  func captureRunsThrough(file: String) async throws {
    let mesh = try await Mesh(trackers: 1, demo: false)
    try await schedule("Capture", laps: 100, on: mesh)
    let feed = try mesh.kart(
      "feed", "rmonitor", "--file", "\(Installation.captures)/\(file)", "--speed", "max",
      "--race", "Capture", "--session", "race")
    #expect(try await feed.exit == .status(0), "\(feed.transcript)")
    let follow = try mesh.kart("follow", "Capture", "--standings", "--json")
    let (_, line) = try await follow.output.first { $0.contains("\"standings\"") }
    let newest = try JSONDecoder().decode(FollowedEvent.self, from: Data(line.utf8))
    #expect(newest.standings?.entries.isEmpty == false)
  }

  private func schedule(_ name: String, laps: Int, on mesh: Mesh) async throws {
    try await mesh.schedule(
      #"{"name": "\#(name)", "location": "Here", "startTime": "2026-01-01T10:00:00Z", "laps": \#(laps)}"#
    )
  }
}

/// What `kart follow --json` prints in a line, as far as these tests read it.
struct FollowedEvent: Decodable {
  struct Standings: Decodable {
    var entries: [Entry]
  }

  struct Entry: Decodable {
    var kartNumber: Int
    // ProtoJSON leaves out a field without presence that is zero; these have it.
    var lap: Int
    var position: Int
  }

  /// ProtoJSON writes 64-bit numbers as strings.
  var sequence: String
  var standings: Standings?
}
