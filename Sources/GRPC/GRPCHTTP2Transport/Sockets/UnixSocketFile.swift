import CLinux
import EventLoop
import Glibc

/// The place of a Unix domain socket in the file system, held by this process.
///
/// A socket appears under its name only when it listens already, so whoever watches the folder
/// never finds one that refuses. A lock file beside it, `.NAME.lock`, is locked for as long as the
/// process lives, which tells a socket left behind by a killed process from one in use. Files
/// whose names begin with a dot are no services to a watcher.
struct UnixSocketFile: Sendable {
  let path: String
  private let lockPath: String
  private let lock: Int32
  private let inode: ino_t

  /// Binds a socket to a path and has it listen there.
  ///
  /// - Throws: ``SystemError`` with `EADDRINUSE` if a living process has the path, or what the
  ///   file system said; ``InvalidSocketAddress`` if the path is too long.
  init(
    binding socket: Int32, to path: String, backlog: Int32,
    options: ListeningOptions = ListeningOptions()
  ) throws {
    let folder = Self.split(path).folder
    self.path = path
    lockPath = Self.lockPath(of: path)
    lock = try Self.acquireLock(lockPath, for: path)
    do {
      try Self.checkThatNobodyAnswers(path)
      inode = try Self.bind(socket, in: folder, to: path, backlog, options)
    } catch {
      unlink(lockPath)
      close(lock)
      throw error
    }
  }

  /// Removes the socket, unless somebody has put another in its place, and gives up the lock.
  func remove() {
    if isInPlace { unlink(path) }
    unlink(lockPath)
    close(lock)
  }

  /// Whether the socket is still the one under its name.
  var isInPlace: Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_ino == inode
  }

  /// Removes a socket whose process has died and left it. One that has no lock file is none of ours.
  static func removeIfAbandoned(_ path: String) {
    let lockPath = lockPath(of: path)
    let lock = open(lockPath, O_RDWR | O_CLOEXEC)
    guard lock >= 0 else { return }
    defer { close(lock) }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0, isCurrent(lock, lockPath) else { return }
    unlink(path)
    unlink(lockPath)
  }

  private static func lockPath(of path: String) -> String {
    let (folder, name) = split(path)
    return "\(folder).\(name).lock"
  }

  private static func split(_ path: String) -> (folder: Substring, name: Substring) {
    guard let slash = path.lastIndex(of: "/") else { return ("", path[...]) }
    return (path[...slash], path[path.index(after: slash)...])
  }

  private static func acquireLock(_ lockPath: String, for path: String) throws -> Int32 {
    var patience = 20
    while true {
      let lock = open(lockPath, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
      guard lock >= 0 else { throw SystemError("open", lockPath) }
      guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
        // It may be held for a moment only, by one who removes what was left behind.
        if errno == EWOULDBLOCK, patience > 0 {
          patience -= 1
          close(lock)
          usleep(1_000)
          continue
        }
        let error =
          errno == EWOULDBLOCK
          ? SystemError("bind", "unix:\(path)", code: EADDRINUSE) : SystemError("flock", lockPath)
        close(lock)
        throw error
      }
      if isCurrent(lock, lockPath) { return lock }
      close(lock)
    }
  }

  /// The last holder removes the lock file; a lock on a removed file protects nothing.
  private static func isCurrent(_ lock: Int32, _ lockPath: String) -> Bool {
    var mine = stat()
    var current = stat()
    return fstat(lock, &mine) == 0 && stat(lockPath, &current) == 0
      && mine.st_ino == current.st_ino
  }

  /// What is at the path must be nothing or a dead socket: one that a program without our lock
  /// serves is in use as well, and a file that is no socket is not ours to replace.
  private static func checkThatNobodyAnswers(_ path: String) throws {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw SystemError("bind", "unix:\(path)", code: EEXIST)
    }
    let address = try SocketAddressStorage(.unixDomainSocket(path: path))
    let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let probe = socket(AF_UNIX, Int32(type), 0)
    guard probe >= 0 else { throw SystemError("socket") }
    defer { close(probe) }
    let code = address.withSockaddr { connect(probe, $0, $1) } == 0 ? 0 : errno
    switch code {
    case ECONNREFUSED, ENOENT: return
    // Somebody accepts, does not keep up with accepting, or has a socket of another type.
    case 0, EAGAIN, EPROTOTYPE: throw SystemError("bind", "unix:\(path)", code: EADDRINUSE)
    default: throw SystemError("bind", "unix:\(path)", code: code)
    }
  }

  private static func bind(
    _ socket: Int32, in folder: Substring, to path: String, _ backlog: Int32,
    _ options: ListeningOptions
  ) throws -> ino_t {
    let temporary = "\(folder).\(String(UInt32.random(in: 0...UInt32.max), radix: 36))"
    let address = try SocketAddressStorage(.unixDomainSocket(path: temporary))
    _ = try SocketAddressStorage(.unixDomainSocket(path: path))
    guard address.withSockaddr({ Glibc.bind(socket, $0, $1) }) == 0 else {
      throw SystemError("bind", "unix:\(path)")
    }
    var status = stat()
    // Before it listens: nobody connects whom the mode shuts out.
    guard options.unixMode.map({ chmod(temporary, $0) == 0 }) ?? true,
      chown(temporary, options.unixOwner ?? .max, options.unixGroup ?? .max) == 0,
      listen(socket, backlog) == 0, lstat(temporary, &status) == 0,
      rename(temporary, path) == 0
    else {
      let error = SystemError("bind", "unix:\(path)")
      unlink(temporary)
      throw error
    }
    return status.st_ino
  }
}
