import KartTesting
import Testing

@testable import KartCommand

struct MeshGuideTests {
  private func text(_ listen: String = MeshPlan.defaultListen, demo: Bool) async throws -> String {
    let temporary = TemporaryFolder()
    let folder = try await StateFolder(claiming: temporary.path) { false }
    defer { folder.release() }
    let plan = MeshPlan(
      executables: "/opt/kart", listen: listen, trackerCount: 2, hasDemo: demo)
    return MeshGuide(plan: plan, folder: folder, command: ".build/kart").text
      .replacing(temporary.path, with: "DIR")
  }

  @Test func tellsWhatRunsWhereAndWhatToTry() async throws {
    #expect(
      try await text(demo: true) == """
        SwiftKart runs:
          gateway            ipv4:127.0.0.1:8080
          schedule-service   unix:DIR/run/schedule.sock
          tracker-service 1  unix:DIR/run/trackers/tracker-1.sock
          tracker-service 2  unix:DIR/run/trackers/tracker-2.sock
          databases          DIR/data
          demo feed          "Duck Pond Dash" and "Finite Loops"

        Try in another terminal:
          .build/kart races
          .build/kart follow "Duck Pond Dash" --standings
          .build/kart load races

        """)
  }

  @Test func namesTheGatewayWhereItIsNotInItsUsualPlace() async throws {
    let text = try await text("ipv4:127.0.0.1:9000", demo: true)
    #expect(
      text.contains("kart follow \"Duck Pond Dash\" --standings --target ipv4:127.0.0.1:9000\n"))
  }

  @Test func withoutADemoItBeginsWithTheSchedule() async throws {
    let text = try await text(demo: false)
    #expect(text.contains("  .build/kart schedule import races.json\n"))
    #expect(!text.contains("demo feed"))
  }
}
