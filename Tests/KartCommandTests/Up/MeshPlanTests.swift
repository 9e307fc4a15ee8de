import KartTesting
import Testing

@testable import KartCommand

struct MeshPlanTests {
  @Test func letsTheProcessesFindEachOther() async throws {
    let temporary = TemporaryFolder()
    let folder = try await StateFolder(claiming: temporary.path) { false }
    defer { folder.release() }
    let plan = MeshPlan(
      executables: "/opt/kart", listen: "ipv4:127.0.0.1:8080", trackerCount: 2, hasDemo: true,
      sharedArguments: ["--log-format", "json"])
    let lines = plan.processes(in: folder).map {
      "\($0.name): \($0.executable) \($0.arguments.joined(separator: " "))"
        .replacing(temporary.path, with: "DIR")
    }
    #expect(
      lines == [
        "schedule-service: /opt/kart/schedule-service --listen unix:DIR/run/schedule.sock "
          + "--database DIR/data/schedule.sqlite --log-format json",
        "tracker-1: /opt/kart/tracker-service --listen unix:DIR/run/trackers/tracker-1.sock "
          + "--database DIR/data/telemetry.sqlite --transient Duck Pond Dash "
          + "--transient Finite Loops --log-format json",
        "tracker-2: /opt/kart/tracker-service --listen unix:DIR/run/trackers/tracker-2.sock "
          + "--database DIR/data/telemetry.sqlite --transient Duck Pond Dash "
          + "--transient Finite Loops --log-format json",
        "gateway: /opt/kart/gateway --listen ipv4:127.0.0.1:8080 --schedule "
          + "unix:DIR/run/schedule.sock --trackers unix-dir:DIR/run/trackers "
          + "--admin unix:DIR/run/admin.sock --log-format json",
        "demo: /opt/kart/kart feed demo --target ipv4:127.0.0.1:8080 --log-format json",
      ])
  }

  @Test func tellsTheServicesHowManyEventLoopsToHave() async throws {
    let temporary = TemporaryFolder()
    let folder = try await StateFolder(claiming: temporary.path) { false }
    defer { folder.release() }
    let plan = MeshPlan(
      executables: "/opt/kart", listen: "ipv4:127.0.0.1:8080", trackerCount: 1, hasDemo: true,
      eventLoopCount: 2)
    for process in plan.processes(in: folder) {
      let place = process.arguments.firstIndex(of: "--event-loops")
      let count = place.flatMap { process.arguments.dropFirst($0 + 1).first }
      // The feed serves nobody.
      #expect(count == (process.name == "demo" ? nil : "2"))
    }
  }

  @Test func leavesTheDemoOut() async throws {
    let temporary = TemporaryFolder()
    let folder = try await StateFolder(claiming: temporary.path) { false }
    defer { folder.release() }
    let plan = MeshPlan(
      executables: "/opt/kart", listen: "ipv4:127.0.0.1:8080", trackerCount: 1, hasDemo: false)
    #expect(
      plan.processes(in: folder).map(\.name) == ["schedule-service", "tracker-1", "gateway"])
    #expect(plan.processes(in: folder).allSatisfy { !$0.arguments.contains("--transient") })
  }
}
