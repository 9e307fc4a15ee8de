import MeshTesting
import Testing

/// That calls and connections leave nothing behind, in short; `make soak` takes its time.
@Suite(.timeLimit(.minutes(10)))
struct SoakTests {
  @Test func memoryStaysFlat() async throws {
    let soak = try RunningProcess(Installation.executable("soak"), ["20000", "400"])
    #expect(try await soak.exit == .status(0), "\(soak.transcript)")
  }
}
