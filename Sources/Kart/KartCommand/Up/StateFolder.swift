import CLinux
import EventLoop
import FoundationEssentials
import Glibc

/// The folder that holds a mesh: its sockets, its databases, and the lock that says it is in use.
///
/// ```
///   DIR/lock                            held by `kart up` and by every process it started
///   DIR/run/schedule.sock  admin.sock
///   DIR/run/trackers/tracker-1.sock …
///   DIR/data/schedule.sqlite  telemetry.sqlite
/// ```
struct StateFolder: Sendable {
  /// What the user is told of a folder that cannot be used.
  struct Unusable: Error, Hashable, CustomStringConvertible {
    var description: String
  }

  /// The folder's absolute path.
  let path: String
  /// The open lock file. Each process of the mesh inherits it, so that the folder stays in use until
  /// the last of them is gone, even when `kart up` itself was killed.
  let lock: Int32

  var scheduleSocket: String { "\(path)/run/schedule.sock" }
  var adminSocket: String { Self.adminSocket(in: path) }
  var trackers: String { "\(path)/run/trackers" }
  var scheduleDatabase: String { "\(path)/data/schedule.sqlite" }
  var data: String { "\(path)/data" }
  var telemetryDatabase: String { "\(path)/data/telemetry.sqlite" }

  func trackerSocket(_ number: Int) -> String {
    "\(trackers)/tracker-\(number).sock"
  }

  /// Takes a folder, which is made where there is none, and clears what an earlier run left in it.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - wait: Waits before another look while processes of a run that was killed are ending; returns
  ///     false when they had time enough.
  /// - Throws: ``Unusable``.
  init(claiming path: String, wait: () async throws -> Bool) async throws {
    let absolute = Self.absolute(path)
    self.path = absolute
    // A Unix socket's path has 107 bytes.
    guard "\(absolute)/run/trackers/tracker-100.sock".utf8.count <= 107 else {
      throw Unusable(
        description: "the state folder \(absolute) has too long a path for sockets in it; name a "
          + "shorter one with --state")
    }
    do throws(SystemError) {
      for folder in ["run/trackers", "data"] { try Self.makeFolder("\(absolute)/\(folder)") }
    } catch {
      throw Unusable(description: "\(error); name another state folder with --state")
    }
    lock = try await Self.acquireLock("\(absolute)/lock", folder: absolute, wait: wait)
    clear()
  }

  /// Makes the folder of the trackers' sockets again where someone has removed it, but nothing above it:
  /// the trackers wait for it to put their sockets back.
  func restoreTrackers() {
    mkdir(trackers, 0o700)
  }

  /// Clears what the run left, and lets another have the folder. No process of the mesh is left.
  func release() {
    clear()
    ftruncate(lock, 0)
    close(lock)
  }

  // Sockets and their locks; the databases stay.
  private func clear() {
    for folder in ["\(path)/run", trackers] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      for name in names { unlink("\(folder)/\(name)") }
    }
  }

  private static func acquireLock(
    _ file: String, folder: String, wait: () async throws -> Bool
  ) async throws -> Int32 {
    let lock = open(file, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard lock >= 0 else {
      throw Unusable(description: "\(SystemError("open", file)); name another folder with --state")
    }
    while flock(lock, LOCK_EX | LOCK_NB) != 0 {
      let owner = owner(of: lock)
      if let owner, kill(owner, 0) == 0 || errno == EPERM {
        close(lock)
        throw Unusable(
          description: "the state folder \(folder) is in use by process \(owner); stop it, or name "
            + "another folder with --state")
      }
      guard try await wait() else {
        close(lock)
        throw Unusable(
          description: "the state folder \(folder) is still in use by processes of an earlier run; "
            + "end them, or name another folder with --state")
      }
    }
    let text = "\(getpid())\n"
    ftruncate(lock, 0)
    pwrite(lock, text, text.utf8.count, 0)
    return lock
  }

  private static func owner(of lock: Int32) -> pid_t? {
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = pread(lock, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
    return pid_t(text.prefix { $0.isWholeNumber }).flatMap { $0 > 0 ? $0 : nil }
  }

  /// The gateway's admin socket in a state folder.
  static func adminSocket(in folder: String) -> String { "\(folder)/run/admin.sock" }

  static func absolute(_ path: String) -> String {
    var path = path
    if !path.hasPrefix("/") { path = "\(FileManager.default.currentDirectoryPath)/\(path)" }
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  // And those that hold it. Only the user has a way in.
  private static func makeFolder(_ path: String) throws(SystemError) {
    var place = path.startIndex
    while place < path.endIndex {
      place = path[place...].dropFirst().firstIndex(of: "/") ?? path.endIndex
      let folder = String(path[..<place])
      guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
        throw SystemError("mkdir", folder)
      }
    }
  }
}
