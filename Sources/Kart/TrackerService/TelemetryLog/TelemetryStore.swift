import SQLite

/// The telemetry log in its database. Confined to the actor that keeps it, as the database is.
struct TelemetryStore {
  private static let migrations = [
    """
    CREATE TABLE races (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE
    ) STRICT;
    CREATE TABLE producers (
      id INTEGER PRIMARY KEY,
      race INTEGER NOT NULL REFERENCES races,
      name TEXT NOT NULL,
      last_number INTEGER NOT NULL DEFAULT 0,
      UNIQUE (race, name)
    ) STRICT;
    CREATE TABLE batches (
      position INTEGER PRIMARY KEY AUTOINCREMENT,
      race INTEGER NOT NULL REFERENCES races,
      producer INTEGER NOT NULL REFERENCES producers,
      number INTEGER NOT NULL,
      record BLOB NOT NULL,
      UNIQUE (producer, number)
    ) STRICT;
    CREATE INDEX batches_by_race ON batches (race, position);
    CREATE TABLE checkpoints (
      race INTEGER NOT NULL REFERENCES races,
      position INTEGER NOT NULL,
      events INTEGER NOT NULL,
      PRIMARY KEY (race, position)
    ) STRICT, WITHOUT ROWID;
    """,
    // Up to where a race's batches are forgotten.
    "ALTER TABLE races ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0",
  ]

  private static let kind = DatabaseKind(
    // "KTel"
    name: "the telemetry log", applicationID: 0x4b54_656c, landmark: "producers")

  private let database: Database

  /// Opens the log, and makes it where there is none.
  ///
  /// - Throws: `SQLiteError`.
  init(path: String) throws {
    // A batch that was acknowledged must survive a loss of power.
    var options = Database.Options()
    options.synchronous = .full
    options.kind = TelemetryStore.kind
    database = try Database(path: path, options: options)
    try database.migrate(TelemetryStore.migrations)
  }

  /// Makes all the changes in `body`, or none of them.
  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try database.transaction(body)
  }

  /// Moves what was committed into the database file itself.
  func checkpoint() throws {
    try database.checkpoint()
  }

  /// A number that changes when another connection changes the log.
  func version() throws -> Int64 {
    try database.dataVersion()
  }

  // MARK: Appending, in a transaction

  func append(_ batch: TelemetryBatch) throws -> AppendOutcome {
    let race = try raceID(making: batch.race)
    let (producer, last) = try producerState(making: batch.producer, race: race)
    guard batch.number > last else { return .durable(through: last) }
    guard batch.number == last + 1 else { return .gap(expected: last + 1) }
    let number = Value.integer(Int64(batch.number))
    try database.run(
      "INSERT INTO batches (race, producer, number, record) VALUES (?, ?, ?, ?)",
      [.integer(race), .integer(producer), number, .blob(batch.record)])
    try database.run(
      "UPDATE producers SET last_number = ? WHERE id = ?", [number, .integer(producer)])
    return .durable(through: batch.number)
  }

  func save(_ checkpoint: RaceCheckpoint, ofRace race: String) throws {
    // One that a slow replica finds after others forgot what follows it would lead into the gap.
    try database.run(
      """
      INSERT OR IGNORE INTO checkpoints (race, position, events)
      SELECT id, ?2, ?3 FROM races WHERE id = ?1 AND forgotten <= ?2
      """,
      [
        .integer(try raceID(making: race)), .integer(checkpoint.position),
        .integer(Int64(checkpoint.events)),
      ])
  }

  /// Forgets batches of a race's sessions but the newest ones, and says how many.
  func forgetSessions(ofRace race: String, keeping count: Int, limit: Int) throws -> Int {
    let sql = """
      SELECT race, position FROM checkpoints JOIN races ON races.id = checkpoints.race
      WHERE races.name = ? ORDER BY position DESC LIMIT 1 OFFSET ?
      """
    let oldest = try database.first(
      sql, [.text(race), .integer(Int64(max(count, 1) - 1))]
    ) { (race: Value.integer($0.integer(0)), position: Value.integer($0.integer(1))) }
    guard let oldest else { return 0 }
    // First of all, so that nobody reads on past what is missing.
    try database.run(
      "UPDATE races SET forgotten = ?2 WHERE id = ?1 AND forgotten < ?2",
      [oldest.race, oldest.position])
    try database.run(
      "DELETE FROM checkpoints WHERE race = ? AND position < ?", [oldest.race, oldest.position])
    return try database.run(
      """
      DELETE FROM batches WHERE position IN
        (SELECT position FROM batches WHERE race = ? AND position <= ? ORDER BY position LIMIT ?)
      """, [oldest.race, oldest.position, .integer(Int64(limit))])
  }

  private func raceID(making name: String) throws -> Int64 {
    if let id = try raceID(of: name) { return id }
    try database.run("INSERT INTO races (name) VALUES (?)", [.text(name)])
    return database.lastInsertedRow
  }

  private func producerState(
    making name: String, race: Int64
  ) throws -> (id: Int64, lastNumber: UInt64) {
    let known = try database.first(
      "SELECT id, last_number FROM producers WHERE race = ? AND name = ?",
      [.integer(race), .text(name)]
    ) { ($0.integer(0), UInt64($0.integer(1))) }
    if let known { return known }
    try database.run(
      "INSERT INTO producers (race, name) VALUES (?, ?)", [.integer(race), .text(name)])
    return (database.lastInsertedRow, 0)
  }

  // MARK: Reading

  func progress(ofProducer producer: String, inRace race: String) throws -> UInt64 {
    let sql = """
      SELECT last_number FROM producers JOIN races ON races.id = producers.race
      WHERE races.name = ? AND producers.name = ?
      """
    return try database.first(sql, [.text(race), .text(producer)]) {
      UInt64($0.integer(0))
    } ?? 0
  }

  func head() throws -> LogPosition {
    try database.first("SELECT max(position) FROM batches") { $0.integer(0) } ?? 0
  }

  func batches(
    ofRace race: String, after position: LogPosition, through last: LogPosition, limit: Int
  ) throws -> [LoggedBatch] {
    guard let id = try raceID(of: race) else { return [] }
    let sql = """
      SELECT position, record, forgotten FROM batches JOIN races ON races.id = batches.race
      WHERE race = ? AND position > ? AND position <= ? ORDER BY position
      """
    var batches: [LoggedBatch] = []
    var bytes = 0
    try database.forEach(sql, [.integer(id), .integer(position), .integer(last)]) { row in
      batches.append(
        LoggedBatch(
          position: row.integer(0), race: race, record: row.blob(1), forgotten: row.integer(2)))
      bytes += batches.last?.record.count ?? 0
      return bytes < limit
    }
    return batches
  }

  /// The batches of any race, as in `batches(ofRace:after:through:limit:)`.
  func batches(after position: LogPosition, limit: Int) throws -> [LoggedBatch] {
    let sql = """
      SELECT position, races.name, record, forgotten FROM batches JOIN races ON races.id = batches.race
      WHERE position > ? ORDER BY position
      """
    var batches: [LoggedBatch] = []
    var bytes = 0
    try database.forEach(sql, [.integer(position)]) { row in
      batches.append(
        LoggedBatch(
          position: row.integer(0), race: row.text(1), record: row.blob(2),
          forgotten: row.integer(3)))
      bytes += batches.last?.record.count ?? 0
      return bytes < limit
    }
    return batches
  }

  func checkpoint(ofRace race: String, notAfterEvent event: UInt64?) throws -> RaceCheckpoint? {
    let sql = """
      SELECT position, events FROM checkpoints JOIN races ON races.id = checkpoints.race
      WHERE races.name = ? AND events <= ? ORDER BY position DESC LIMIT 1
      """
    let found = try database.first(
      sql, [.text(race), .integer(event.map(Int64.init(clamping:)) ?? .max)], read: Self.checkpoint)
    if let found { return found }
    return try database.first(
      """
      SELECT position, events FROM checkpoints JOIN races ON races.id = checkpoints.race
      WHERE races.name = ? AND position = forgotten
      """, [.text(race)], read: Self.checkpoint)
  }

  private static func checkpoint(_ row: borrowing Row) -> RaceCheckpoint {
    RaceCheckpoint(position: row.integer(0), events: UInt64(row.integer(1)))
  }

  private func raceID(of name: String) throws -> Int64? {
    try database.first("SELECT id FROM races WHERE name = ?", [.text(name)]) { $0.integer(0) }
  }
}
