import Foundation
import MeshTesting

/// The scripts that use grpcio.
enum Python {
  /// The folder of the code that grpcio's generator makes of the protos, made once a run.
  static var stubs: String { get async throws { try await generation.value } }

  private static let generation = Task {
    let folder = "\(Installation.package)/.build/interop"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let protos = "\(Installation.package)/Protos"
    let names = ["empty", "messages", "test"].map { "grpc/testing/\($0).proto" }
    let protoc = try RunningProcess(
      Installation.client("python"),
      [
        "-m", "grpc_tools.protoc", "--proto_path=\(protos)", "--python_out=\(folder)",
        "--grpc_python_out=\(folder)",
      ] + names)
    guard try await protoc.exit == .status(0) else { throw Failure(text: protoc.transcript) }
    return folder
  }

  private struct Failure: Error {
    var text: String
  }

  static func script(_ name: String) -> String {
    "\(Installation.package)/Tests/InteropTests/Python/\(name)"
  }

  /// Runs a script.
  static func run(_ name: String, _ arguments: String...) throws -> RunningProcess {
    try RunningProcess(Installation.client("python"), [script(name)] + arguments)
  }

  /// Runs a case with grpcio's client.
  static func runCase(_ name: String, against server: InteropServer) async throws -> RunningProcess
  {
    try RunningProcess(
      Installation.client("python"),
      [script("interop_client.py"), try await stubs, server.target, name] + server.rootFlags)
  }
}
