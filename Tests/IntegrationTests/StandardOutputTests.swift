import KartTesting
import MeshTesting
import Testing

/// What `kart` does when nobody can have what it prints.
@Suite(.wholeMachine, .timeLimit(.minutes(20))) struct StandardOutputTests {
  @Test func aFullDiskIsAFailure() async throws {
    let kart = try Installation.executable("kart")
    let shell = try RunningProcess("/bin/sh", ["-c", "exec \"$0\" --help >/dev/full", kart])
    #expect(try await shell.exit == .status(1))
    #expect(
      shell.errorOutput.lines
        == ["kart: standard output cannot be written: No space left on device"])
  }

  @Test func aMissingStreamIsNobodyElses() async throws {
    let kart = try Installation.executable("kart")
    let shell = try RunningProcess("/bin/sh", ["-c", "exec \"$0\" --help <&- >&-", kart])
    #expect(try await shell.exit == .status(1))
    #expect(
      shell.errorOutput.lines
        == ["kart: standard output cannot be written: Bad file descriptor"])
  }
}
