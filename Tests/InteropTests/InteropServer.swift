import KartTesting
import MeshTesting

/// How a client reaches a server.
enum Wire: String, CaseIterable, Sendable {
  case tcp
  case unix
}

/// A server of ours or of grpcio, in a process of its own.
struct InteropServer {
  let process: RunningProcess
  private let folder: TemporaryFolder
  private let address: String

  /// Starts our server.
  init(_ wire: Wire) async throws {
    let folder = try TemporaryFolder()
    try await self.init(
      in: folder, executable: try Installation.executable("interop-server"),
      arguments: wire == .unix ? ["--unix", folder.file("s.sock")] : ["--port", "0"])
  }

  /// Starts grpcio's server.
  init(grpcio wire: Wire) async throws {
    let folder = try TemporaryFolder()
    try await self.init(
      in: folder, executable: Installation.client("python"),
      arguments: [Python.script("interop_server.py"), try await Python.stubs]
        + (wire == .unix ? ["unix:\(folder.file("s.sock"))"] : []))
  }

  private init(in folder: TemporaryFolder, executable: String, arguments: [String]) async throws {
    self.folder = folder
    process = try RunningProcess(executable, arguments)
    let start = "listening on "
    let line = try await process.output.first { $0.hasPrefix(start) }
    address = String(line.line.dropFirst(start.count))
  }

  /// The address as grpcio's client takes it.
  var target: String {
    address.hasPrefix("unix:") ? address : "127.0.0.1:\(port)"
  }

  /// The address as our client takes it.
  var flags: [String] {
    address.hasPrefix("unix:")
      ? ["--unix", String(address.dropFirst("unix:".count))]
      : ["--server_host", "127.0.0.1", "--server_port", port]
  }

  private var port: String { address.split(separator: ":").last.map(String.init) ?? "" }
}
