import Foundation
import Glibc
import MeshTesting
import Testing

/// `kart mesh status` of a mesh that runs.
@Suite(.wholeMachine, .timeLimit(.minutes(20))) struct MeshStatusTests {
  private struct Status: Decodable {
    struct Upstream: Decodable {
      struct Endpoint: Decodable {
        var address: String
        var connectivity: String
      }
      var name: String
      var endpoints: [Endpoint]?
      var attempts: String
    }
    var upstreams: [Upstream]
  }

  @Test func showsTheServicesToTheirOwnerOnly() async throws {
    let mesh = try await Mesh(trackers: 2, demo: true)
    let kart = try Installation.executable("kart")
    let table = try RunningProcess(kart, ["mesh", "status", "--state", mesh.folder.path])
    #expect(try await table.exit == .status(0), "\(table.transcript)")
    let titles = ["schedule: ", "trackers: ", "replays: ", "telemetry: "]
    #expect(titles.allSatisfy { title in table.output.lines.contains { $0.hasPrefix(title) } })

    // Once the trackers have told that they are well, every endpoint is ready.
    var endpoints: [Status.Upstream.Endpoint] = []
    repeat {
      let json = try RunningProcess(
        kart, ["mesh", "status", "--json", "--state", mesh.folder.path])
      #expect(try await json.exit == .status(0), "\(json.transcript)")
      let line = try await json.output.first { _ in true }.line
      let status = try JSONDecoder().decode(Status.self, from: Data(line.utf8))
      #expect(status.upstreams.map(\.name) == ["schedule", "trackers", "replays", "telemetry"])
      // Nobody follows a race; the demo records some.
      let areUsed = status.upstreams.allSatisfy {
        ["trackers", "replays"].contains($0.name) || Int($0.attempts) ?? 0 > 0
      }
      endpoints = areUsed ? status.upstreams.flatMap { $0.endpoints ?? [] } : []
    } while endpoints.count < 7 || endpoints.contains { $0.connectivity != "CONNECTIVITY_READY" }
    let trackers = (1...2).map { "unix:\(mesh.folder.path)/run/trackers/tracker-\($0).sock" }
    #expect(
      endpoints.map(\.address)
        == ["unix:\(mesh.folder.path)/run/schedule.sock"] + trackers + trackers + trackers)

    var file = stat()
    #expect(stat("\(mesh.folder.path)/run/admin.sock", &file) == 0)
    #expect(file.st_mode & 0o777 == 0o600)

    mesh.up.send(signal: SIGTERM)
    _ = try await mesh.up.exit
    let gone = try RunningProcess(kart, ["mesh", "status", "--state", mesh.folder.path])
    #expect(try await gone.exit == .status(1))
    // What it says, and no more.
    while gone.errorOutput.lines.isEmpty { await Task.yield() }
    #expect(gone.errorOutput.lines.first?.contains("no gateway answers at unix:") == true)
  }
}
