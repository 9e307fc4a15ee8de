import CSQLite
import Glibc

/// The C binding of one connection: confined, like the `Database` that keeps it.
final class Connection {
  // Valid until deinit: every statement keeps its connection, so it is closed after them all.
  let handle: OpaquePointer
  let path: String

  init(path: String, readOnly: Bool, busyTimeout: Duration) throws {
    // SQLite would let others read it. Not by open(2): closing it again would drop this process's locks.
    if !readOnly { mknod(path, S_IFREG | 0o600, 0) }
    var handle: OpaquePointer?
    let access = readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    // No mutex inside SQLite: a connection is never used by two threads at once.
    let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      var message = handle.map { Connection.message(of: $0) } ?? "out of memory"
      sqlite3_close_v2(handle)
      // A file that it may not make SQLite tries to read, and then tells that there is none.
      if code & 0xff == SQLITE_CANTOPEN, !readOnly, let reason = Self.refusal(toMake: path) {
        message = "unable to open database file: \(reason)"
      }
      throw SQLiteError(code: code, path: path, message: message)
    }
    self.handle = handle
    self.path = path
    let (seconds, attoseconds) = busyTimeout.components
    let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    sqlite3_busy_timeout(handle, Int32(clamping: milliseconds))
  }

  /// Why no file can be made at a path, in the system's words; nil where one can.
  private static func refusal(toMake path: String) -> String? {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
    guard access(String(folder), W_OK | X_OK) != 0, let reason = strerror(errno) else { return nil }
    return String(cString: reason)
  }

  deinit {
    sqlite3_close_v2(handle)
  }

  /// Runs a script of statements that take no values and give no rows.
  func execute(_ script: String) throws {
    let code = sqlite3_exec(handle, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code) }
  }

  var isInTransaction: Bool {
    sqlite3_get_autocommit(handle) == 0
  }

  /// Whether the path names the file no more that this connection has open.
  var fileHasMoved: Bool {
    var hasMoved: Int32 = 0
    return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved) == SQLITE_OK
      && hasMoved != 0
  }

  var changes: Int {
    Int(sqlite3_changes64(handle))
  }

  var lastInsertedRow: Int64 {
    sqlite3_last_insert_rowid(handle)
  }

  /// The error that the call just made gave.
  func error(_ code: Int32) -> SQLiteError {
    // A full disk meets the write-ahead log's index and lock files as another error.
    let isFull = [ENOSPC, EDQUOT].contains(sqlite3_system_errno(handle))
    let isOfTheSystem = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xff)
    return SQLiteError(
      code: isFull && isOfTheSystem ? SQLITE_FULL : code, path: path,
      message: Connection.message(of: handle))
  }

  private static func message(of handle: OpaquePointer) -> String {
    let message = sqlite3_errmsg(handle).map { String(cString: $0) } ?? "no message"
    let systemError = sqlite3_system_errno(handle)
    guard systemError != 0, let reason = strerror(systemError) else { return message }
    return "\(message): \(String(cString: reason))"
  }
}
