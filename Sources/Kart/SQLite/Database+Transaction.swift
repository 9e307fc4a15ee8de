extension Database {
  /// Makes all the changes in `body`, or none of them. It takes the write lock at the start, so that it
  /// waits for another writer there and never fails halfway for one.
  ///
  /// - Throws: What `body` throws, after undoing its changes, or `SQLiteError`.
  package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try run("BEGIN IMMEDIATE")
    do {
      let result = try body()
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
}
