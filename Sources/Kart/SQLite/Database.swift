import Glibc

/// An open SQLite database. It is not `Sendable`: one actor opens it, keeps it, and is the only one to
/// use it. Its calls block on the disk, so that actor does not run on the event loop of a connection.
///
/// The file is in WAL mode, in which readers and a writer of several processes do not wait for one
/// another. Statements are prepared once and kept.
package final class Database {
  /// When a commit counts as done (https://sqlite.org/pragma.html#pragma_synchronous).
  package enum Synchronous: String, Sendable {
    /// After it is on disk: it survives a loss of power.
    case full = "FULL"
    /// After the system has it: it survives the death of the process.
    case normal = "NORMAL"
  }

  /// How a database is opened.
  package struct Options: Sendable {
    /// When a commit counts as done.
    package var synchronous = Synchronous.full
    /// How long to wait for another process's lock before giving up.
    package var busyTimeout = Duration.seconds(5)
    /// Whether to refuse every change, and a file that does not exist.
    package var readOnly = false
    /// What the file has to hold; nil for anything.
    package var kind: DatabaseKind?

    package init() {}
  }

  /// The database file.
  package let path: String
  let kind: DatabaseKind?
  let connection: Connection
  // A statement in use is out of the cache, so that a query made while reading the same one gets its
  // own.
  private var idleStatements: [String: PreparedStatement] = [:]

  /// Opens the database, and makes the file where there is none, for this user alone. Its folder must
  /// exist.
  ///
  /// - Throws: `SQLiteError`, also where the file is not a database, or one of another kind.
  package init(path: String, options: Options = Options()) throws {
    self.path = path
    kind = options.kind
    connection = try Connection(
      path: path, readOnly: options.readOnly, busyTimeout: options.busyTimeout)
    // Before anything in a file that is another's is changed.
    if let kind { try check(kind) }
    if !options.readOnly {
      try enterWAL(patience: options.busyTimeout)
    }
    try connection.execute(
      "PRAGMA synchronous = \(options.synchronous.rawValue); PRAGMA foreign_keys = ON")
    // Reads the file's header, so that a file of another kind is refused here and not later.
    _ = try first("PRAGMA schema_version") { $0.integer(0) }
  }

  // SQLite does not call its busy handler for this change, so that two processes that make the same
  // file at once would fail without a wait of our own.
  private func enterWAL(patience: Duration) throws {
    let clock = ContinuousClock()
    let end = clock.now + patience
    while true {
      do {
        return try connection.execute("PRAGMA journal_mode = WAL")
      } catch let error as SQLiteError where error.kind == .locked && clock.now < end {
        usleep(2_000)
      }
    }
  }

  /// Runs a script of statements that take no values and give no rows.
  package func execute(_ script: String) throws {
    try connection.execute(script)
  }

  /// Runs a statement.
  ///
  /// - Parameters:
  ///   - sql: The statement, with a `?` for each value.
  ///   - values: The values of its parameters, in order.
  /// - Returns: How many rows it changed.
  @discardableResult
  package func run(_ sql: String, _ values: [Value] = []) throws -> Int {
    try withStatement(sql, values) { statement in
      while try statement.step() {}
    }
    return connection.changes
  }

  /// Runs a query and reads its rows.
  ///
  /// - Parameters:
  ///   - sql: The query, with a `?` for each value.
  ///   - values: The values of its parameters, in order.
  ///   - read: Makes a result of a row.
  package func query<Result>(
    _ sql: String, _ values: [Value] = [], read: (borrowing Row) throws -> Result
  ) throws -> [Result] {
    var results: [Result] = []
    try forEach(sql, values) { row in
      results.append(try read(row))
      return true
    }
    return results
  }

  /// Runs a query and reads its first row.
  ///
  /// - Returns: What `read` made of the row; nil where there was none.
  package func first<Result>(
    _ sql: String, _ values: [Value] = [], read: (borrowing Row) throws -> Result
  ) throws -> Result? {
    var result: Result?
    try forEach(sql, values) { row in
      result = try read(row)
      return false
    }
    return result
  }

  /// Runs a query, row by row, without keeping them.
  ///
  /// - Parameter visit: Takes a row; false ends the query.
  package func forEach(
    _ sql: String, _ values: [Value] = [], visit: (borrowing Row) throws -> Bool
  ) throws {
    try withStatement(sql, values) { statement in
      while try statement.step() {
        guard try visit(Row(statement)) else { return }
      }
    }
  }

  /// The row id of the newest row that this connection inserted.
  package var lastInsertedRow: Int64 {
    connection.lastInsertedRow
  }

  /// A number that changes when another connection, of this process or another, changes the file.
  package func dataVersion() throws -> Int64 {
    try first("PRAGMA data_version") { $0.integer(0) } ?? 0
  }

  private func withStatement<Result>(
    _ sql: String, _ values: [Value], _ body: (PreparedStatement) throws -> Result
  ) throws -> Result {
    let statement =
      try idleStatements.removeValue(forKey: sql) ?? PreparedStatement(sql, on: connection)
    defer {
      statement.reset()
      idleStatements[sql] = statement
    }
    try statement.bind(values)
    return try body(statement)
  }
}
