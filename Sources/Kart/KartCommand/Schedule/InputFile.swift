import EventLoop
import Glibc
import KartProcess

/// A file that a command line names.
enum InputFile {
  /// What a file is called in messages.
  static func name(_ path: String) -> String {
    path == "-" ? "standard input" : path
  }

  private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

  /// The text of a file, without the byte order mark that Windows begins it with.
  ///
  /// - Parameter path: The file's path; `-` is standard input.
  /// - Throws: `UsageError` where it cannot be read or is no text.
  static func text(_ path: String) throws(UsageError) -> String {
    var bytes = try bytes(path)[...]
    if bytes.starts(with: byteOrderMark) { bytes = bytes.dropFirst(byteOrderMark.count) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw UsageError("kart: \(name(path)) is not UTF-8 text")
    }
    return text
  }

  /// The bytes of a file.
  ///
  /// - Parameter path: The file's path; `-` is standard input.
  /// - Throws: `UsageError` where it cannot be read.
  static func bytes(_ path: String) throws(UsageError) -> [UInt8] {
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw UsageError("kart: \(SystemError("open", path))") }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    var bytes: [UInt8] = []
    while true {
      var count = 0
      bytes.append(
        contentsOf: [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, initialized in
          count = read(descriptor, buffer.baseAddress, buffer.count)
          initialized = max(0, count)
        })
      if count == 0 { return bytes }
      guard count > 0 || errno == EINTR else {
        throw UsageError("kart: \(SystemError("read", name(path)))")
      }
    }
  }
}
