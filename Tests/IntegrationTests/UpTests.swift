import Glibc
import KartTesting
import MeshTesting
import Testing

/// `kart up` as a user meets it.
@Suite(.wholeMachine, .timeLimit(.minutes(15))) struct UpTests {
  @Test(arguments: [SIGINT, SIGTERM])
  func stopsWithinTwoSecondsAndLeavesNothing(signal: Int32) async throws {
    let mesh = try await Mesh(demo: true)
    #expect(mesh.processes("schedule-service").count == 1)
    #expect(mesh.processes("tracker-service").count == 3)
    #expect(mesh.processes("gateway").count == 1)
    #expect(mesh.sockets().count == 5)
    let family = mesh.allProcesses()

    let clock = ContinuousClock()
    let asked = clock.now
    mesh.up.send(signal: signal)
    let exit = try await mesh.up.exit
    #expect(clock.now - asked < .seconds(2))
    #expect(exit == .status(0), "\(mesh.up.transcript)")
    let running = Set(ProcessTable.entries().map(\.id))
    #expect(family.filter { running.contains($0.id) } == [])
    #expect(mesh.sockets() == [])
  }

  @Test func saysWhatIsInUse() async throws {
    let mesh = try await Mesh(trackers: 1, demo: false)
    let kart = try Installation.executable("kart")

    let sameFolder = try RunningProcess(
      kart, Mesh.arguments(port: try Mesh.freePort(), folder: mesh.folder.path, demo: false))
    #expect(try await sameFolder.exit == .status(1))
    expectOneLine(naming: mesh.folder.path, from: sameFolder)

    let other = TemporaryFolder()
    let samePort = try RunningProcess(
      kart, Mesh.arguments(port: mesh.port, folder: other.path, demo: false))
    #expect(try await samePort.exit == .status(1))
    expectOneLine(naming: "127.0.0.1:\(mesh.port)", from: samePort)
  }

  private func expectOneLine(naming name: String, from process: RunningProcess) {
    let lines = process.errorOutput.lines
    #expect(lines.count == 1 && lines[0].contains(name), "\(process.transcript)")
  }

  @Test func restartsWhatDiesWhileNobodyReadsItsLog() async throws {
    let folder = TemporaryFolder()
    let errors = try UnreadPipe()
    errors.fill()
    let up = try RunningProcess(
      "/bin/sh",
      ["-c", "exec 2>\"$0\"; exec \"$@\"", errors.path, try Installation.executable("kart")]
        + Mesh.arguments(port: try Mesh.freePort(), folder: folder.path, trackers: 1, demo: false))
    try await up.output.first { $0 == "ready" }
    func tracker() -> ProcessTable.Entry? {
      ProcessTable.children(of: up.processID).first { $0.executable == "tracker-service" }
    }
    let first = try #require(tracker())
    kill(first.id, SIGKILL)
    while tracker().map({ $0 == first }) ?? true { await Task.yield() }
    up.send(signal: SIGTERM)
    #expect(try await up.exit == .status(0))
  }

  @Test func leavesNothingWhenItIsKilledAndStartsCleanAgain() async throws {
    let mesh = try await Mesh(demo: true)
    let family = mesh.allProcesses()
    mesh.up.send(signal: SIGKILL)
    #expect(try await mesh.up.exit == .signal(SIGKILL))
    for process in family {
      #expect(
        ProcessTable.waitForEnd(of: process.id, milliseconds: 2000), "\(process) has outlived kart")
    }

    let kart = try Installation.executable("kart")
    let second = try RunningProcess(
      kart, Mesh.arguments(port: mesh.port, folder: mesh.folder.path, demo: false))
    try await second.output.first { $0 == "ready" }
    second.send(signal: SIGINT)
    #expect(try await second.exit == .status(0))
    #expect(mesh.sockets() == [])
  }
}
