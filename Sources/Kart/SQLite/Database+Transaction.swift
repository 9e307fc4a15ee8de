extension Database {
  /// Makes all the changes in `body`, or none of them. It takes the write lock at the start, so that it
  /// waits for another writer there and never fails halfway for one.
  ///
  /// - Throws: What `body` throws, after undoing its changes, or `SQLiteError`; that of a file that was
  ///   moved where the changes would go into one that nobody finds again.
  package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try run("BEGIN IMMEDIATE")
    do {
      // At once, since what another process has made of the file's place confuses SQLite; and at the
      // end, since that is when it counts.
      try checkThatTheFileIsThere()
      let result = try body()
      try checkThatTheFileIsThere()
      try run("COMMIT")
      return result
    } catch {
      // Some errors, a full disk among them, have already undone it. An undo that fails leaves the
      // first error as the one to report, and SQLite undoes the changes at the next opening.
      if connection.isInTransaction {
        _ = try? run("ROLLBACK")
      }
      throw error
    }
  }

  private func checkThatTheFileIsThere() throws {
    guard !connection.fileHasMoved else { throw SQLiteError.moved(path: path) }
  }

  /// Moves what was committed from the write-ahead log into the database file, as far as nobody reads
  /// an older state of it, so that a copy of that file alone is whole. It waits for nobody.
  package func checkpoint() throws {
    try first("PRAGMA wal_checkpoint(PASSIVE)") { _ in }
  }
}
