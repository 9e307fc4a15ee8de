import Glibc

/// The sockets in a folder, by which replicas join a `unix-dir:` target.
struct SocketFolder {
  let path: String

  /// The sockets in order of their names, or nothing if there is no such folder.
  ///
  /// Only names that end in `.sock` count, and none that begin with a dot: a server binds under a temporary
  /// name, beside its lock file, before it renames its socket into place.
  func endpoints() -> [Endpoint] {
    names().sorted().compactMap { name in
      let file = "\(path)/\(name)"
      guard let identity = SocketFileIdentity(path: file) else { return nil }
      return Endpoint(addresses: [.unixDomainSocket(path: file)], incarnation: identity)
    }
  }

  private func names() -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      // The name is a C string inside the entry, which lives until the next readdir.
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(".sock"), !name.hasPrefix(".") {
        names.append(name)
      }
    }
    return names
  }
}

extension SocketFileIdentity {
  /// The identity of the socket at a path, or nil if there is none.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    changeSeconds = status.st_ctim.tv_sec
    changeNanoseconds = status.st_ctim.tv_nsec
  }
}
