import KartTesting
import Testing

@testable import SQLite

@Suite struct MigrationTests {
  let folder: TemporaryFolder
  let steps = [
    "CREATE TABLE a (x INTEGER); INSERT INTO a VALUES (1)",
    "ALTER TABLE a ADD COLUMN y INTEGER DEFAULT 7",
  ]

  init() throws {
    folder = TemporaryFolder()
  }

  @Test func eachStepIsTakenOnce() throws {
    let path = folder.file("test.sqlite")
    try Database(path: path).migrate([steps[0]])
    for _ in 0..<2 {
      let database = try Database(path: path)
      try database.migrate(steps)
      #expect(
        try database.query("SELECT x, y FROM a") { [$0.integer(0), $0.integer(1)] } == [[1, 7]])
    }
  }

  @Test func aStepThatFailsIsUndoneWhole() throws {
    let database = try Database(path: folder.file("test.sqlite"))
    #expect(throws: SQLiteError.self) {
      try database.migrate([steps[0], "CREATE TABLE b (z); INSERT INTO missing VALUES (1)"])
    }
    #expect(try database.first("PRAGMA user_version") { $0.integer(0) } == 1)
    let tables = try database.query("SELECT name FROM sqlite_schema") { $0.text(0) }
    #expect(tables == ["a"])
  }

  @Test func aNewerSchemaIsRefused() throws {
    let database = try Database(path: folder.file("test.sqlite"))
    try database.migrate(steps)
    let error = #expect(throws: SQLiteError.self) { try database.migrate([steps[0]]) }
    #expect(error?.kind == .newerSchema)
    #expect(error?.description.contains("written by a newer SwiftKart") == true)
  }

  @Test func aFileIsOfOneKind() throws {
    let path = folder.file("test.sqlite")
    var options = Database.Options()
    options.kind = DatabaseKind(name: "the letters", applicationID: 7, landmark: "a")
    try Database(path: path, options: options).migrate(steps)
    // Also with the tables that a file of this kind would have.
    try Database(path: path).execute("CREATE TABLE b (x)")
    try Database(path: path, options: options).migrate(steps)
    options.kind = DatabaseKind(name: "the numbers", applicationID: 8, landmark: "b")
    let error = #expect(throws: SQLiteError.self) { _ = try Database(path: path, options: options) }
    #expect(error?.kind == .otherKind)
    #expect(
      error?.description == "\(path) holds something else than the numbers: name another file")
  }

  @Test func aFileWithoutAKindIsKnownByItsTables() throws {
    let path = folder.file("test.sqlite")
    try Database(path: path).migrate(steps)
    var options = Database.Options()
    options.kind = DatabaseKind(name: "the numbers", applicationID: 8, landmark: "b")
    let error = #expect(throws: SQLiteError.self) { _ = try Database(path: path, options: options) }
    #expect(error?.kind == .otherKind)
    options.kind = DatabaseKind(name: "the letters", applicationID: 7, landmark: "a")
    let database = try Database(path: path, options: options)
    try database.migrate(steps)
    #expect(try database.first("PRAGMA application_id") { $0.integer(0) } == 7)
  }
}
