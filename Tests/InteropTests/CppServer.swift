import Foundation
import MeshTesting

/// A server by C++ gRPC, built where Debian's is installed.
enum CppServer {
  static let canBeBuilt = ["/usr/bin/g++", "/usr/include/grpcpp/grpcpp.h"].allSatisfy {
    FileManager.default.fileExists(atPath: $0)
  }

  private struct Failure: Error {
    var text: String
  }

  /// The executable, made once a run if its source has changed.
  static var executable: String { get async throws { try await building.value } }

  private static let building = Task {
    let folder = "\(Installation.package)/.build/interop"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let source = "\(Installation.package)/Tests/InteropTests/Cpp/aging_server.cpp"
    let product = "\(folder)/aging_server"
    if try date(of: product) ?? .distantPast > date(of: source) ?? .distantFuture { return product }
    let compiler = try RunningProcess(
      "/bin/sh",
      ["-c", "g++ -std=c++17 '\(source)' -o '\(product)' $(pkg-config --cflags --libs grpc++)"])
    guard try await compiler.exit == .status(0) else { throw Failure(text: compiler.transcript) }
    return product
  }

  private static func date(of file: String) throws -> Date? {
    guard FileManager.default.fileExists(atPath: file) else { return nil }
    return try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
  }
}
