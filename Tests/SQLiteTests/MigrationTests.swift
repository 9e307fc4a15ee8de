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
    folder = try TemporaryFolder()
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
}
