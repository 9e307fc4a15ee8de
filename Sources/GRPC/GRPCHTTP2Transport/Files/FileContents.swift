import Glibc

/// Why a file cannot be read, as a part of a sentence that names it.
struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Reads a small file.
enum FileContents {
  /// The largest file to take, in bytes: a mistake must not fill the memory.
  static let limit = 4 << 20

  /// The bytes of a file; the error says what the system said, as a part of a sentence.
  static func read(_ path: String) throws(FileError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while bytes.count < limit {
      var result = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, count in
        repeat {
          result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        } while result < 0 && errno == EINTR
        count = max(0, result)
      }
      guard result >= 0 else { throw failure(path) }
      guard result > 0 else { return bytes }
      bytes += chunk
    }
    throw FileError("\(path) is larger than \(limit) bytes")
  }

  private static func failure(_ path: String) -> FileError {
    FileError("\(path) cannot be read: \(String(cString: strerror(errno)))")
  }
}
