import Foundation

/// Where tests of real processes find what they run.
package enum Installation {
  /// The package's folder.
  package static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// An executable of this package, built beside the test bundle.
  package static func executable(_ name: String) throws -> String {
    let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let path = URL(filePath: bundle).deletingLastPathComponent().appending(path: name).path
    guard FileManager.default.isExecutableFile(atPath: path) else { throw Missing(path: path) }
    return path
  }

  package struct Missing: Error, CustomStringConvertible {
    package var path: String
    package var description: String { "\(path) is missing; build the package first." }
  }

  /// A program among the clients that `make test` fetches from PyPI, such as `python` or `buf`.
  package static func client(_ name: String) -> String { "\(package)/.build/python/bin/\(name)" }

  /// Whether those clients are there. Tests that need them are skipped where they are not.
  package static var hasClients: Bool {
    FileManager.default.isExecutableFile(atPath: client("python"))
  }

  /// Whether there is a protoc that knows the editions, which `make test` fetches unless it finds one.
  package static var hasProtoc: Bool {
    let named = ProcessInfo.processInfo.environment["PROTOC_PATH"] ?? ""
    let fetched = "\(package)/.build/protoc/bin/protoc"
    return FileManager.default.isExecutableFile(atPath: named.isEmpty ? fetched : named)
  }

  /// Captures that are not part of the package. Tests that read them are skipped where they are
  /// absent.
  package static let captures = "\(package)/../shared/data"
}
