/// What SQLite refused, where, and what mends it.
package struct SQLiteError: Error, Hashable {
  /// SQLite's extended result code, as in https://sqlite.org/rescode.html.
  package var code: Int32
  /// The database file.
  package var path: String
  /// SQLite's own words, and the system's where it was the system that refused.
  package var message: String

  package init(code: Int32, path: String, message: String) {
    self.code = code
    self.path = path
    self.message = message
  }

  /// The result codes that a caller or a user can do something about.
  package enum Kind: Sendable, Hashable {
    case diskFull
    case readOnly
    case moved
    case locked
    case cannotOpen
    case notADatabase
    case corrupt
    case constraint
    case inputOutput
    case newerSchema
    case otherKind
    case other
  }

  /// The error's kind, from the primary part of its code.
  package var kind: Kind {
    switch code & 0xff {
    case 5, 6: .locked
    case 8: code == SQLiteError.movedCode ? .moved : .readOnly
    case 10: .inputOutput
    case 11: .corrupt
    case 13: .diskFull
    case 14: .cannotOpen
    case 16: .otherKind
    case 19: .constraint
    case 24: .newerSchema
    case 26: .notADatabase
    default: .other
    }
  }

  // SQLITE_READONLY_DBMOVED
  private static let movedCode: Int32 = 8 | 4 << 8

  /// The error that a file gives which its path names no more. SQLite itself looks for that only where
  /// it does not write ahead.
  static func moved(path: String) -> SQLiteError {
    SQLiteError(code: movedCode, path: path, message: "its path names another file or none")
  }

  /// The error that a schema newer than this build gives. SQLite has no code of its own for it, so
  /// this is SQLITE_FORMAT, which it no longer uses.
  static func newerSchema(found: Int64, known: Int, path: String) -> SQLiteError {
    SQLiteError(
      code: 24, path: path, message: "its schema is \(found), this build knows up to \(known)")
  }

  /// The error that a file of something else gives. SQLite has no code of its own for it, so this is
  /// SQLITE_EMPTY, which it does not use.
  static func otherKind(wanted kind: DatabaseKind, path: String) -> SQLiteError {
    SQLiteError(code: 16, path: path, message: "holds something else than \(kind.name)")
  }
}

extension SQLiteError: CustomStringConvertible {
  /// One sentence: the file, what is wrong with it, and the mend.
  package var description: String {
    switch kind {
    case .diskFull:
      "\(path) cannot grow, because its disk is full: free some space there"
    case .readOnly:
      "\(path) cannot be written (\(message)): let this user write the file and its folder"
    case .moved:
      "\(path) was removed or replaced while it was in use: put it back, or restart this process to go "
        + "on with what is there now"
    case .locked:
      "\(path) stayed locked by another process (\(message)): end that process, or try again"
    case .cannotOpen:
      "\(path) cannot be opened (\(message)): make its folder, and let this user write there"
    case .notADatabase:
      "\(path) is not a database of SQLite: move it away, or name another file"
    case .corrupt:
      "\(path) is damaged (\(message)): restore it from a copy"
    case .newerSchema:
      "\(path) was written by a newer SwiftKart (\(message)): run that version, or name another file"
    case .otherKind:
      "\(path) \(message): name another file"
    case .inputOutput:
      "\(path) cannot be read or written (\(message)): check its disk"
    case .constraint, .other:
      "\(path) refused a statement: \(message) (SQLite code \(code))"
    }
  }
}
