import EventLoop
import KartProcess
import KartTesting
import Testing

@testable import KartCommand

struct SupervisorTests {
  /// A supervisor of shell scripts, and what they say.
  private struct Harness {
    let supervisor: Supervisor
    let lines: AsyncStream<String>
    let loop = EventLoop()

    init(_ scripts: [String: String], grace: Duration = .seconds(30)) {
      let (lines, continuation) = AsyncStream.makeStream(of: String.self)
      self.lines = lines
      let processes = scripts.sorted { $0.key < $1.key }.map {
        MeshProcess(name: $0.key, executable: "/bin/sh", arguments: ["-c", $0.value])
      }
      supervisor = Supervisor(
        processes, environment: ["PATH": "/usr/bin:/bin"], inherited: 0, loop: loop, grace: grace,
        log: Log("kart", write: { _ in }), format: .text
      ) { text in
        for line in text.split(separator: "\n") { continuation.yield(String(line)) }
      }
    }

    /// The next line that ends so.
    func line(_ suffix: String) async -> String? {
      await lines.first { $0.hasSuffix(suffix) }
    }

    func stop() async {
      await supervisor.stop()
      await loop.shutdown()
    }
  }

  @Test func startsAgainWhatDies() async {
    let harness = Harness(["child": "echo here; kill -9 $$"])
    await harness.supervisor.start()
    for _ in 0..<3 { #expect(await harness.line("here") == "child | here") }
    await #expect(throws: Never.self) { try await harness.supervisor.checkStart() }
    await harness.stop()
  }

  @Test func tellsWhoRefusedToStart() async {
    let harness = Harness(["a": "echo fine; exec sleep 600", "bb": "echo no port >&2; exit 3"])
    await harness.supervisor.start()
    #expect(await harness.line("no port") == "bb | no port")
    // It is started again and says so again, by when the first exit has been seen.
    #expect(await harness.line("no port") == "bb | no port")
    await #expect(
      throws: Supervisor.Refusal(name: "bb", status: .exited(3), lastLine: "no port")
    ) {
      try await harness.supervisor.checkStart()
    }
    await harness.stop()
  }

  @Test func tellsOfAMissingExecutable() async {
    let loop = EventLoop()
    let supervisor = Supervisor(
      [MeshProcess(name: "ghost", executable: "/nowhere/ghost", arguments: [])], environment: [:],
      inherited: 0, loop: loop, log: Log("kart", write: { _ in }), format: .text
    ) { _ in }
    await supervisor.start()
    await #expect(throws: Supervisor.Refusal.self) { try await supervisor.checkStart() }
    await supervisor.stop()
    await loop.shutdown()
  }

  @Test func asksFirst() async {
    let script = "trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.01; done"
    let harness = Harness(["child": script])
    await harness.supervisor.start()
    #expect(await harness.line("up") != nil)
    await harness.stop()
    #expect(await harness.line("bye") == "child | bye")
  }

  @Test func killsWhatDoesNotListen() async {
    let script = "trap '' TERM; echo up; while :; do sleep 0.01; done"
    let harness = Harness(["child": script], grace: .milliseconds(20))
    await harness.supervisor.start()
    #expect(await harness.line("up") != nil)
    await harness.stop()
  }

  @Test func endsAStoppedChild() async {
    let harness = Harness(["child": "echo up; kill -STOP $$; sleep 600"])
    await harness.supervisor.start()
    #expect(await harness.line("up") != nil)
    await harness.stop()
  }

  @Test func tellsChildrenWhoRunsThem() async {
    let harness = Harness(["child": "echo $KART_SUPERVISOR $PPID; exec sleep 600"])
    await harness.supervisor.start()
    let words = await harness.lines.first { _ in true }?.split(separator: " ")
    #expect(words?.count == 4)
    #expect(words?[2] == words?[3])
    await harness.stop()
  }
}
