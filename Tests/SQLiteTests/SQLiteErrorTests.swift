import Glibc
import KartTesting
import Testing

@testable import SQLite

@Suite struct SQLiteErrorTests {
  let folder: TemporaryFolder

  init() throws {
    folder = TemporaryFolder()
  }

  private func error(_ body: () throws -> Void) -> SQLiteError? {
    #expect(throws: SQLiteError.self) { try body() }
  }

  @Test func aMissingFolderIsNamedWithTheSystemsReason() {
    let path = folder.file("missing/test.sqlite")
    let error = error { _ = try Database(path: path) }
    #expect(error?.kind == .cannotOpen)
    #expect(error?.description.hasPrefix(path) == true)
    #expect(error?.message.contains("No such file or directory") == true)
  }

  @Test func aFileOfAnotherKindIsRefusedAtOpening() throws {
    let path = folder.file("notes.txt")
    let file = try #require(fopen(path, "w"))
    fputs(String(repeating: "Monty leads, Pepper follows. ", count: 100), file)
    fclose(file)
    #expect(error { _ = try Database(path: path) }?.kind == .notADatabase)
  }

  @Test func aReadOnlyConnectionRefusesChanges() throws {
    let path = folder.file("test.sqlite")
    try Database(path: path).execute("CREATE TABLE t (x)")
    var options = Database.Options()
    options.readOnly = true
    let database = try Database(path: path, options: options)
    #expect(error { try database.execute("INSERT INTO t VALUES (1)") }?.kind == .readOnly)
  }

  @Test func aLockThatStaysIsReported() throws {
    let path = folder.file("test.sqlite")
    var options = Database.Options()
    options.busyTimeout = .milliseconds(1)
    let holder = try Database(path: path)
    try holder.execute("CREATE TABLE t (x)")
    let other = try Database(path: path, options: options)
    try holder.transaction {
      #expect(error { try other.transaction {} }?.kind == .locked)
    }
    try other.transaction {}
  }

  @Test func aFullDiskIsReportedAndTheChangeUndone() throws {
    let database = try Database(path: folder.file("test.sqlite"))
    try database.execute("CREATE TABLE t (x); PRAGMA max_page_count = 8")
    let failure = error {
      try database.transaction {
        for _ in 0..<100 {
          try database.run("INSERT INTO t VALUES (?)", [.blob(Array(repeating: 1, count: 4_096))])
        }
      }
    }
    #expect(failure?.kind == .diskFull)
    #expect(failure?.description.contains("disk is full") == true)
    #expect(try database.first("SELECT count(*) FROM t") { $0.integer(0) } == 0)
    try database.transaction { try database.execute("INSERT INTO t VALUES (1)") }
  }

  @Test func aBrokenConstraintIsToldFromOtherErrors() throws {
    let database = try Database(path: folder.file("test.sqlite"))
    try database.execute("CREATE TABLE t (x UNIQUE); INSERT INTO t VALUES (1)")
    #expect(error { try database.execute("INSERT INTO t VALUES (1)") }?.kind == .constraint)
  }

  @Test(arguments: [[Value](), [.null, .null]])
  func aWrongNumberOfValuesIsRefused(values: [Value]) throws {
    let database = try Database(path: folder.file("test.sqlite"))
    #expect(
      error { try database.run("SELECT ?", values) }?.message.contains("1 parameters") == true)
  }

  @Test(arguments: ["", "SELEC 1", "SELECT * FROM missing"])
  func aStatementThatIsNoneIsRefused(sql: String) throws {
    let database = try Database(path: folder.file("test.sqlite"))
    #expect(error { try database.run(sql) }?.kind == .other)
  }
}
