import Glibc
import KartTesting

/// Files appear under another name first, and then at once as a whole.
extension TemporaryFolder {
  /// Writes a file, as a deployment does.
  static func write(_ bytes: [UInt8], to path: String) {
    let file = creat("\(path)~", 0o600)
    Glibc.write(file, bytes, bytes.count)
    close(file)
    rename("\(path)~", path)
  }

  /// Puts a socket in place, as a server does.
  static func makeSocket(_ path: String) {
    mknod("\(path)~", S_IFSOCK | 0o600, 0)
    rename("\(path)~", path)
  }
}
