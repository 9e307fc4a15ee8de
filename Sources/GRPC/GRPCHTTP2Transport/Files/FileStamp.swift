import Glibc

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
