import SQLite

/// The schedule in its database. Confined to the actor that keeps it, as the database is.
struct ScheduleStore {
  private static let migrations = [
    """
    CREATE TABLE races (
      name TEXT PRIMARY KEY,
      start_seconds INTEGER NOT NULL,
      start_nanos INTEGER NOT NULL,
      message BLOB NOT NULL,
      finished_seconds INTEGER,
      finished_nanos INTEGER
    ) STRICT;
    CREATE INDEX races_by_start ON races (start_seconds, start_nanos, name);
    CREATE INDEX unfinished_races_by_start ON races (start_seconds, start_nanos, name)
      WHERE finished_seconds IS NULL;
    """
  ]

  private static let kind = DatabaseKind(
    // "KSch"
    name: "the schedule", applicationID: 0x4b53_6368, landmark: "races_by_start")

  private static let columns =
    "name, start_seconds, start_nanos, message, finished_seconds, finished_nanos"

  private let database: Database

  /// Opens the schedule, and makes it where there is none.
  ///
  /// - Throws: `SQLiteError`.
  init(path: String) throws {
    var options = Database.Options()
    options.kind = ScheduleStore.kind
    database = try Database(path: path, options: options)
    try database.migrate(ScheduleStore.migrations)
  }

  /// Makes all the changes in `body`, or none of them.
  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try database.transaction(body)
  }

  /// Moves what was committed into the database file itself.
  func checkpoint() throws {
    try database.checkpoint()
  }

  func race(named name: String) throws -> StoredRace? {
    try database.first(
      "SELECT \(Self.columns) FROM races WHERE name = ?", [.text(name)], read: Self.race)
  }

  /// Adds a race, or replaces the one of the same name.
  func put(_ race: StoredRace) throws {
    try database.run(
      "INSERT OR REPLACE INTO races (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?)",
      [
        .text(race.name), .integer(race.start.seconds), .integer(Int64(race.start.nanoseconds)),
        .blob(race.message), race.finishedAt.map { .integer($0.seconds) } ?? .null,
        race.finishedAt.map { .integer(Int64($0.nanoseconds)) } ?? .null,
      ])
  }

  /// - Returns: Whether there was such a race.
  func delete(name: String) throws -> Bool {
    try database.run("DELETE FROM races WHERE name = ?", [.text(name)]) > 0
  }

  /// Gives the messages of the races that are not finished, by start and then by name.
  func forEachUpcoming(limit: Int, _ visit: ([UInt8]) throws -> Void) throws {
    let sql = """
      SELECT message FROM races WHERE finished_seconds IS NULL
      ORDER BY start_seconds, start_nanos, name LIMIT ?
      """
    try database.forEach(sql, [.integer(Int64(limit))]) { row in
      try visit(row.blob(0))
      return true
    }
  }

  /// Every race, by start and then by name.
  ///
  /// - Parameter last: The race before the first one; nil for the beginning.
  func races(after last: SchedulePageToken?, limit: Int) throws -> [StoredRace] {
    let order = "ORDER BY start_seconds, start_nanos, name LIMIT ?"
    guard let last else {
      return try database.query(
        "SELECT \(Self.columns) FROM races \(order)", [.integer(Int64(limit))], read: Self.race)
    }
    return try database.query(
      """
      SELECT \(Self.columns) FROM races
      WHERE (start_seconds, start_nanos, name) > (?, ?, ?) \(order)
      """,
      [
        .integer(last.start.seconds), .integer(Int64(last.start.nanoseconds)), .text(last.name),
        .integer(Int64(limit)),
      ], read: Self.race)
  }

  private static func race(_ row: borrowing Row) -> StoredRace {
    StoredRace(
      name: row.text(0),
      start: .init(seconds: row.integer(1), nanoseconds: Int32(clamping: row.integer(2))),
      message: row.blob(3),
      finishedAt: row.isNull(4)
        ? nil : .init(seconds: row.integer(4), nanoseconds: Int32(clamping: row.integer(5))))
  }
}
