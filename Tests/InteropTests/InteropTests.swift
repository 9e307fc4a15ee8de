import GRPCInterop
import Glibc
import MeshTesting
import Testing

/// The cases of gRPC's "Interop Test Case Descriptions", ours against ours and against grpcio, each
/// in processes of their own.
@Suite(.serialized, .timeLimit(.minutes(5))) struct InteropTests {
  private func expectSuccess(
    of client: RunningProcess, _ interopCase: InteropCase, _ server: InteropServer
  ) async throws {
    #expect(
      try await client.exit == .status(0), "\(client.transcript)\n\(server.process.transcript)")
    try await client.output.first { $0 == "\(interopCase.rawValue) passed" }
  }

  private func ours(
    _ interopCase: InteropCase, _ server: InteropServer, _ more: String...
  ) throws -> RunningProcess {
    try RunningProcess(
      try Installation.executable("interop-client"),
      server.flags + ["--test_case", interopCase.rawValue] + more)
  }

  @Test(arguments: InteropCase.allCases, Wire.allCases)
  func ours(interopCase: InteropCase, wire: Wire) async throws {
    let server = try await InteropServer(wire)
    try await expectSuccess(of: try ours(interopCase, server), interopCase, server)
  }

  /// grpcio lets no server tell whether a message came compressed, so it is not asked to.
  @Test(
    .enabled(if: Installation.hasClients, "make test fetches grpcio"),
    arguments: InteropCase.allCases, Wire.allCases)
  func oursAgainstGrpcio(interopCase: InteropCase, wire: Wire) async throws {
    let server = try await InteropServer(grpcio: wire)
    try await expectSuccess(
      of: try ours(interopCase, server, "--compression_probe=false"), interopCase, server)
  }

  @Test(
    .enabled(if: Installation.hasClients, "make test fetches grpcio"),
    arguments: InteropCase.allCases, Wire.allCases)
  func grpcioAgainstOurs(interopCase: InteropCase, wire: Wire) async throws {
    let server = try await InteropServer(wire)
    let client = try await Python.runCase(interopCase.rawValue, against: server)
    try await expectSuccess(of: client, interopCase, server)
  }

  @Test(
    .enabled(if: Installation.hasClients, "make test fetches grpcio"), arguments: [Wire.tcp, .unix])
  func grpcioReadsChannelz(wire: Wire) async throws {
    let server = try await InteropServer(wire)
    let client = try Python.run("channelz_client.py", server.target)
    #expect(
      try await client.exit == .status(0), "\(client.transcript)\n\(server.process.transcript)")
  }

  /// A client that waits for its server ends when it is told to.
  @Test func aSignalEndsTheClient() async throws {
    let server = try await InteropServer(.unix)
    server.process.send(signal: SIGSTOP)
    let client = try ours(.emptyUnary, server)
    client.send(signal: SIGTERM)
    // By the signal itself where it comes before the client looks for signals.
    let exit = try await client.exit
    #expect(exit == .status(1) || exit == .signal(SIGTERM))
    #expect(!client.transcript.contains("failed"))
    server.process.send(signal: SIGCONT)
  }

  @Test func aWrongCommandLineIsExplained() async throws {
    let client = try RunningProcess(
      try Installation.executable("interop-client"), ["--test_case", "teleport"])
    #expect(try await client.exit == .status(2))
    try await client.errorOutput.first { $0.contains("teleport") }
    for arguments in [["--port", "65536"], ["--use_tls=true", "--tls_cert_file", "server.pem"]] {
      let server = try RunningProcess(try Installation.executable("interop-server"), arguments)
      #expect(try await server.exit == .status(2))
    }
  }

  /// A case that fails must say so: here, that nobody listens.
  @Test func aFailureIsToldByTheExitStatus() async throws {
    let client = try RunningProcess(
      try Installation.executable("interop-client"),
      ["--unix", "/nowhere/s.sock", "--test_case", "empty_unary"])
    #expect(try await client.exit == .status(1))
    try await client.errorOutput.first { $0.contains("empty_unary failed") }
  }
}
