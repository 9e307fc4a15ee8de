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
      let chunk = [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, count in
        // -1 is kept apart as nothing read and errno set.
        count = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
      }
      guard !chunk.isEmpty else { return bytes }
      bytes += chunk
    }
    throw FileError("\(path) is larger than \(limit) bytes")
  }

  private static func failure(_ path: String) -> FileError {
    FileError("\(path) cannot be read: \(String(cString: strerror(errno)))")
  }
}

/// What tells whether a file is still the one that was read.
struct FileStamp: Hashable, Sendable {
  private var device: UInt64
  private var inode: UInt64
  private var size: Int
  private var modified: [Int]

  /// The stamp of the file that has a name now, nil if there is none.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int(status.st_size)
    modified = [
      status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
    ]
  }
}
