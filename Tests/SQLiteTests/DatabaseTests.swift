import Glibc
import KartTesting
import Testing

@testable import SQLite

@Suite struct DatabaseTests {
  let folder: TemporaryFolder

  init() throws {
    folder = TemporaryFolder()
  }

  private func database(_ options: Database.Options = .init()) throws -> Database {
    let database = try Database(path: folder.file("test.sqlite"), options: options)
    try database.execute("CREATE TABLE IF NOT EXISTS items (id INTEGER PRIMARY KEY, value)")
    return database
  }

  @Test(arguments: [
    Value.null, .integer(0), .integer(.min), .integer(.max), .real(0.1), .real(-.infinity),
    .text(""), .text("Crème brûlée 🏁"), .text("with\0zero"), .blob([]), .blob([0, 255, 0]),
  ])
  func aValueComesBackAsItWasBound(value: Value) throws {
    let database = try database()
    try database.run("INSERT INTO items (value) VALUES (?)", [value])
    let back = try database.first("SELECT value, typeof(value) FROM items") { row -> Value in
      switch row.text(1) {
      case "integer": .integer(row.integer(0))
      case "real": .real(row.real(0))
      case "text": .text(row.text(0))
      case "blob": .blob(row.blob(0))
      default: row.isNull(0) ? .null : .text("unknown type")
      }
    }
    #expect(back == value)
  }

  @Test func rowsComeInOrderAndAQueryMayEndEarly() throws {
    let database = try database()
    for id in 1...5 {
      try database.run("INSERT INTO items (id) VALUES (?)", [.integer(Int64(id))])
    }
    #expect(database.lastInsertedRow == 5)
    #expect(try database.query("SELECT id FROM items") { $0.integer(0) } == [1, 2, 3, 4, 5])
    #expect(try database.first("SELECT id FROM items WHERE id > 3") { $0.integer(0) } == 4)
    #expect(try database.first("SELECT id FROM items WHERE id > 5") { $0.integer(0) } == nil)
    #expect(try database.run("DELETE FROM items WHERE id > ?", [.integer(2)]) == 3)
  }

  @Test func aQueryInsideTheSameQueryReadsItsOwnRows() throws {
    let database = try database()
    try database.execute("INSERT INTO items (id) VALUES (1), (2)")
    var pairs: [[Int64]] = []
    try database.forEach("SELECT id FROM items") { outer in
      let left = outer.integer(0)
      try database.forEach("SELECT id FROM items") { inner in
        pairs.append([left, inner.integer(0)])
        return true
      }
      return true
    }
    #expect(pairs == [[1, 1], [1, 2], [2, 1], [2, 2]])
  }

  @Test func aTransactionThatThrowsChangesNothing() throws {
    let database = try database()
    #expect(throws: CancellationError.self) {
      try database.transaction {
        try database.execute("INSERT INTO items (id) VALUES (1)")
        throw CancellationError()
      }
    }
    #expect(try database.first("SELECT count(*) FROM items") { $0.integer(0) } == 0)
    try database.transaction { try database.execute("INSERT INTO items (id) VALUES (2)") }
    #expect(try database.first("SELECT count(*) FROM items") { $0.integer(0) } == 1)
  }

  @Test func aFileThatWasMovedTakesNoChangeUntilItIsBack() throws {
    let path = folder.file("test.sqlite")
    let database = try database()
    #expect(rename(path, path + ".away") == 0)
    for isReplaced in [false, true] {
      if isReplaced { #expect(mknod(path, S_IFREG | 0o600, 0) == 0) }
      let error = #expect(throws: SQLiteError.self) {
        try database.transaction { try database.execute("INSERT INTO items (id) VALUES (1)") }
      }
      #expect(error?.kind == .moved)
      #expect(error?.description.hasPrefix("\(path) was removed or replaced") == true)
    }
    #expect(rename(path + ".away", path) == 0)
    try database.transaction { try database.execute("INSERT INTO items (id) VALUES (2)") }
    #expect(try database.query("SELECT id FROM items") { $0.integer(0) } == [2])
  }

  @Test func afterACheckpointTheFileAloneIsWhole() throws {
    let database = try database()
    try database.execute("INSERT INTO items (id) VALUES (7)")
    try database.checkpoint()
    #expect(link(folder.file("test.sqlite"), folder.file("copy.sqlite")) == 0)
    let copy = try Database(path: folder.file("copy.sqlite"))
    #expect(try copy.first("SELECT id FROM items") { $0.integer(0) } == 7)
  }

  @Test func everySettingIsInForce() throws {
    var options = Database.Options()
    let full = try database()
    #expect(try full.first("PRAGMA journal_mode") { $0.text(0) } == "wal")
    #expect(try full.first("PRAGMA synchronous") { $0.integer(0) } == 2)
    #expect(try full.first("PRAGMA foreign_keys") { $0.integer(0) } == 1)
    options.synchronous = .normal
    options.busyTimeout = .milliseconds(1_234)
    let normal = try database(options)
    #expect(try normal.first("PRAGMA synchronous") { $0.integer(0) } == 1)
    #expect(try normal.first("PRAGMA busy_timeout") { $0.integer(0) } == 1_234)
  }

  @Test func theDataVersionTellsOfAnotherConnectionsChange() throws {
    let reader = try database()
    let writer = try database()
    let before = try reader.dataVersion()
    #expect(try reader.dataVersion() == before)
    try writer.execute("INSERT INTO items (id) VALUES (1)")
    #expect(try reader.dataVersion() != before)
  }

  @Test func manyMayMakeTheSameFileAtOnce() async throws {
    let path = folder.file("shared.sqlite")
    try await withThrowingTaskGroup { group in
      for worker in 0..<4 {
        group.addTask {
          let database = try Database(path: path)
          try database.migrate(["CREATE TABLE counts (worker INTEGER PRIMARY KEY)"])
          try database.run("INSERT INTO counts (worker) VALUES (?)", [.integer(Int64(worker))])
        }
      }
      try await group.waitForAll()
    }
    let database = try Database(path: path)
    #expect(try database.first("SELECT count(*) FROM counts") { $0.integer(0) } == 4)
  }

  @Test(arguments: ["test.sqlite", "test.sqlite-wal", "test.sqlite-shm"])
  func onlyItsUserReadsTheFile(name: String) throws {
    let database = try database()
    try database.run("INSERT INTO items (id) VALUES (1)")
    var status = stat()
    #expect(stat(folder.file(name), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
  }
}
