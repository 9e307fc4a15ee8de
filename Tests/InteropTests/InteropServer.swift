import KartTesting
import MeshTesting

/// How a client reaches a server.
enum Wire: String, CaseIterable, Sendable {
  case tcp
  case unix
  case tls
}

/// A server of ours or of grpcio, in a process of its own.
struct InteropServer {
  let process: RunningProcess
  private let folder: TemporaryFolder
  private let address: String
  private let wire: Wire

  /// Starts our server.
  init(_ wire: Wire) async throws {
    let folder = try TemporaryFolder()
    let tls = [
      "--use_tls", "true", "--tls_cert_file", Certificates.server, "--tls_key_file",
      Certificates.key,
    ]
    try await self.init(
      wire, in: folder, executable: try Installation.executable("interop-server"),
      arguments: (wire == .unix ? ["--unix", folder.file("s.sock")] : ["--port", "0"])
        + (wire == .tls ? tls : []))
  }

  /// Starts grpcio's server.
  init(grpcio wire: Wire) async throws {
    let folder = try TemporaryFolder()
    try await self.init(
      wire, in: folder, executable: Installation.client("python"),
      arguments: [
        Python.script("interop_server.py"), try await Python.stubs,
        wire == .unix ? "unix:\(folder.file("s.sock"))" : "127.0.0.1:0",
      ] + (wire == .tls ? [Certificates.server, Certificates.key] : []))
  }

  private init(
    _ wire: Wire, in folder: TemporaryFolder, executable: String, arguments: [String]
  ) async throws {
    self.wire = wire
    self.folder = folder
    process = try RunningProcess(executable, arguments)
    let start = "listening on "
    let line = try await process.output.first { $0.hasPrefix(start) }
    address = String(line.line.dropFirst(start.count))
  }

  /// The address as grpcio's client takes it.
  var target: String {
    wire == .unix ? address : "localhost:\(port)"
  }

  /// The address as our client takes it.
  var flags: [String] {
    switch wire {
    case .tcp: ["--server_host", "127.0.0.1", "--server_port", port]
    case .unix: ["--unix", String(address.dropFirst("unix:".count))]
    case .tls:
      [
        "--server_host", "localhost", "--server_port", port, "--use_tls", "true", "--ca_file",
        Certificates.authority,
      ]
    }
  }

  /// The root by which grpcio's client knows the server, if it is to.
  var rootFlags: [String] { wire == .tls ? [Certificates.authority] : [] }

  private var port: String { address.split(separator: ":").last.map(String.init) ?? "" }
}

/// An authority and a server's identity for tests alone.
enum Certificates {
  static let authority = path("ca.pem")
  static let server = path("server.pem")
  static let key = path("server.key")

  private static func path(_ name: String) -> String {
    "\(Installation.package)/Tests/InteropTests/Certificates/\(name)"
  }
}
