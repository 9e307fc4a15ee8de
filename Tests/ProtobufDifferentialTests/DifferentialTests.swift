import MeshTesting
import Testing

/// Our protobuf against PyPI's, on random messages in every format; see `differential/differential.py`.
@Suite(
  .timeLimit(.minutes(10)),
  .enabled(if: Installation.hasClients && Installation.hasProtoc, "make test fetches them"))
struct DifferentialTests {
  @Test(arguments: [1, 2])
  func randomMessagesGoRoundInEveryFormat(seed: Int) async throws {
    let comparison = try RunningProcess(
      Installation.package + "/Scripts/differential.sh", ["1500", "\(seed)"],
      environment: ["TESTEE": Installation.executable("conformance-testee")])
    #expect(try await comparison.exit == .status(0), "\(comparison.transcript)")
    #expect(comparison.output.lines.last?.hasSuffix("were equal in every format") == true)
  }
}
