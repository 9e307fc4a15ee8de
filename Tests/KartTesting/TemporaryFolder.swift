import FoundationEssentials
import Glibc

/// A folder of its own for a test, which goes when the test ends.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() {
    // Short, since the path of a Unix socket holds 107 bytes.
    path = "/tmp/kart-\(UInt64.random(in: .min ... .max))"
    guard mkdir(path, 0o700) == 0 else {
      fatalError("\(path) cannot be made: \(String(cString: strerror(errno)))")
    }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of a file in the folder.
  package func file(_ name: String) -> String {
    "\(path)/\(name)"
  }
}
