extension Database {
  /// Brings the schema up to date, a transaction for each step. `user_version` holds how many steps the
  /// file has taken, so that a step once released is never changed and new ones are added at the end.
  ///
  /// - Parameter steps: The scripts that make the schema, oldest first.
  /// - Throws: `SQLiteError`, also where the file has taken more steps than there are here.
  package func migrate(_ steps: [String]) throws {
    var taken = try schemaVersion()
    while taken < steps.count {
      try transaction {
        // Another process may have taken the step while this one waited for the lock.
        taken = try schemaVersion()
        guard taken < steps.count else { return }
        try execute(steps[Int(taken)])
        taken += 1
        try execute("PRAGMA user_version = \(taken)")
      }
    }
    guard taken == steps.count else {
      throw SQLiteError.newerSchema(found: taken, known: steps.count, path: path)
    }
    if let kind { try mark(kind) }
  }

  private func schemaVersion() throws -> Int64 {
    try first("PRAGMA user_version") { $0.integer(0) } ?? 0
  }
}
