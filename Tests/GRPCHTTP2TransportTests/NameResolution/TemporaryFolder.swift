import Glibc

/// A folder that goes with its test.
final class TemporaryFolder: Sendable {
  let path: String

  init() {
    path = "/tmp/swiftkart-\(getpid())-\(UInt32.random(in: .min ... .max))"
    mkdir(path, 0o700)
  }

  deinit {
    Self.remove(path)
  }

  /// Puts a socket in place as a server does: under another name first.
  static func makeSocket(_ path: String) {
    let temporary = "\(path)~"
    mknod(temporary, S_IFSOCK | 0o600, 0)
    rename(temporary, path)
  }

  private static func remove(_ path: String) {
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != "." && name != ".." { remove("\(path)/\(name)") }
      }
      closedir(folder)
    }
    if unlink(path) != 0 { rmdir(path) }
  }
}
