import Foundation
import GRPCInterop
import KartTesting
import MeshTesting
import Testing

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
    let folder = TemporaryFolder()
    try await self.init(
      wire, in: folder, executable: try Installation.executable("interop-server"),
      arguments: (wire == .unix ? ["--unix", folder.file("s.sock")] : ["--port", "0"])
        + (wire == .tls ? ["--use_tls", "true"] : []))
  }

  /// Starts grpcio's server.
  init(grpcio wire: Wire) async throws {
    let folder = TemporaryFolder()
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
        "--server_host", "localhost", "--server_port", port, "--use_tls", "true",
      ]
    }
  }

  /// The root by which grpcio's client knows the server, if it is to.
  var rootFlags: [String] { wire == .tls ? [Certificates.authority] : [] }

  private var port: String { address.split(separator: ":").last.map(String.init) ?? "" }
}

/// The identity of our server in files, as grpcio's ends take it.
enum Certificates {
  static let authority = file("ca.pem", TestCredentials.authority)
  static let server = file("server.pem", TestCredentials.certificate)
  static let key = file("server.key", TestCredentials.key)

  private static func file(_ name: String, _ content: String) -> String {
    let folder = "\(Installation.package)/.build/interop"
    mkdir(folder, 0o755)
    let path = "\(folder)/\(name)"
    do {
      try content.write(toFile: path, atomically: true, encoding: .utf8)
    } catch {
      Issue.record("\(path) cannot be written: \(error)")
    }
    return path
  }
}
