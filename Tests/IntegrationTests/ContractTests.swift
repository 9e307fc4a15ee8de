import KartTesting
import MeshTesting
import Testing

/// Clients that nobody here wrote, against a mesh with its demo.
@Suite(
  .wholeMachine, .timeLimit(.minutes(15)),
  .enabled(if: Installation.hasClients, "make test fetches them"))
struct ContractTests {
  /// A mesh with the demo's two races and one that has not begun.
  static func mesh() async throws -> Mesh {
    let mesh = try await Mesh(demo: true)
    try await mesh.schedule(
      #"{"name": "Winter Cup", "location": "Hall 4", "startTime": "2099-01-01T10:00:00Z", "laps": 20}"#
    )
    return mesh
  }

  @Test func pythonClientOfTheOriginalContract() async throws {
    let mesh = try await Self.mesh()
    let stubs = TemporaryFolder()
    let contract = "\(Installation.package)/Tests/IntegrationTests/Contract"
    let protoc = try RunningProcess(
      Installation.client("python"),
      [
        "-m", "grpc_tools.protoc", "--proto_path=\(contract)", "--python_out=\(stubs.path)",
        "--grpc_python_out=\(stubs.path)", "swift_kart_service.proto",
      ])
    #expect(try await protoc.exit == .status(0), "\(protoc.transcript)")

    let client = try RunningProcess(
      Installation.client("python"),
      ["\(contract)/contract_client.py", mesh.address, stubs.path, "Finite Loops", "Winter Cup"])
    #expect(try await client.exit == .status(0), "\(client.transcript)")
    #expect(client.output.lines.last == "everything was as the contract says")
  }

  @Test func pythonClientsOfHealthAndReflection() async throws {
    let mesh = try await Self.mesh()
    let client = try RunningProcess(
      Installation.client("python"),
      [
        "\(Installation.package)/Tests/IntegrationTests/Contract/services_client.py", mesh.address,
      ])
    #expect(try await client.exit == .status(0), "\(client.transcript)")
  }

  @Test func bufListsRacesThroughReflection() async throws {
    let mesh = try await Self.mesh()
    func list(_ data: String) async throws -> (exit: RunningProcess.Exit, text: String) {
      let buf = try bufCurl(mesh, method: "ListRaces", data: data)
      let exit = try await buf.exit
      return (exit, (buf.output.lines + buf.errorOutput.lines).joined(separator: "\n"))
    }
    let all = try await list("{}")
    #expect(all.exit == .status(0), "\(all.text)")
    for name in ["Finite Loops", "Duck Pond Dash", "Winter Cup"] {
      #expect(all.text.contains("\"\(name)\""))
    }
    let one = try await list(#"{"limit": 1}"#)
    #expect(one.exit == .status(0) && one.text.ranges(of: "\"name\"").count == 1, "\(one.text)")
    let none = try await list(#"{"limit": 0}"#)
    #expect(none.exit == .status(0) && none.text.ranges(of: "\"name\"").count == 0, "\(none.text)")
    // buf's exit status is eight times the call's.
    let negative = try await list(#"{"limit": -1}"#)
    #expect(negative.exit == .status(8 * 3), "\(negative.text)")
    #expect(negative.text.contains("invalid_argument"))
  }

  @Test func bufFollowsARaceThroughReflection() async throws {
    let mesh = try await Self.mesh()
    let buf = try bufCurl(mesh, method: "FollowRace", data: "@-")
    let locations = "RACE_EVENT_TYPE_KART_LOCATIONS"
    try buf.write(#"{"raceName": "Finite Loops", "eventTypes": ["\#(locations)"]}"#)
    let first = try await buf.output.first { $0.contains("\"locations\"") }
    #expect(!buf.output.lines.contains { $0.contains("\"standings\"") })
    try buf.write(#"{"eventTypes": ["\#(locations)", "RACE_EVENT_TYPE_STANDINGS"]}"#)
    try await buf.output.first(from: first.index) { $0.contains("\"standings\"") }
    try buf.closeInput()
    #expect(try await buf.exit == .status(0), "\(buf.errorOutput.lines)")
  }

  @Test func bufIsRefused() async throws {
    let mesh = try await Self.mesh()
    for (request, code, name) in [
      (#"{"raceName": "No Such Race", "eventTypes": [1]}"#, Int32(5), "not_found"),
      (#"{"raceName": "", "eventTypes": [1]}"#, 3, "invalid_argument"),
      (#"{"raceName": "Finite Loops", "eventTypes": [0]}"#, 3, "invalid_argument"),
    ] {
      let buf = try bufCurl(mesh, method: "FollowRace", data: request)
      #expect(try await buf.exit == .status(8 * code), "\(request): \(buf.transcript)")
      #expect(buf.transcript.contains(name))
    }
  }

  func bufCurl(_ mesh: Mesh, method: String, data: String) throws -> RunningProcess {
    try RunningProcess(
      Installation.client("buf"),
      [
        "curl", "--protocol", "grpc", "--http2-prior-knowledge", "--emit-defaults", "--data", data,
        "http://\(mesh.address)/SwiftKartService/\(method)",
      ])
  }
}
