import Glibc
import KartTesting
import MeshTesting
import Testing

/// `kart health` against real services.
@Suite(.wholeMachine, .timeLimit(.minutes(20))) struct HealthTests {
  private func health(_ address: String) async throws -> (
    exit: RunningProcess.Exit, lines: [String]
  ) {
    let kart = try RunningProcess(try Installation.executable("kart"), ["health", address])
    let exit = try await kart.exit
    // Both to their ends, which may come after the process's.
    for stream in [kart.output, kart.errorOutput] { _ = try? await stream.first { _ in false } }
    return (exit, kart.output.lines + kart.errorOutput.lines)
  }

  @Test func aServiceIsHealthyWhileItServes() async throws {
    let mesh = try await Mesh(trackers: 1, demo: false)
    let schedule = "unix:\(mesh.folder.path)/run/schedule.sock"
    for address in [mesh.target, schedule] {
      let answer = try await health(address)
      #expect(answer.exit == .status(0))
      #expect(answer.lines == ["\(address) is serving"])
    }

    mesh.up.send(signal: SIGTERM)
    _ = try await mesh.up.exit
    for address in [mesh.target, schedule] {
      let answer = try await health(address)
      #expect(answer.exit == .status(1))
      #expect(answer.lines.count == 1 && answer.lines[0].contains("\(address) is not serving"))
    }
  }

  @Test func aServiceWhoseAddressIsNoneIsAUsageError() async throws {
    let answer = try await health("unix:")
    #expect(answer.exit == .status(2))
    #expect(answer.lines.count == 1)
  }
}
