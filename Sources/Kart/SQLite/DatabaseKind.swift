/// What a database file holds, so that none is taken for another.
package struct DatabaseKind: Hashable, Sendable {
  /// What a message calls it, such as "the schedule".
  package var name: String
  /// What the file's header says (https://sqlite.org/pragma.html#pragma_application_id).
  package var applicationID: Int32
  /// A table or an index that no other kind has, by which a file is known whose header says nothing.
  package var landmark: String

  package init(name: String, applicationID: Int32, landmark: String) {
    self.name = name
    self.applicationID = applicationID
    self.landmark = landmark
  }
}

extension Database {
  /// Refuses a file that holds something else. An empty one may become anything.
  func check(_ kind: DatabaseKind) throws {
    let id = try applicationID()
    if id == kind.applicationID { return }
    if id == 0 {
      let names = try query("SELECT name FROM sqlite_schema") { $0.text(0) }
      if names.isEmpty || names.contains(kind.landmark) { return }
    }
    throw SQLiteError.otherKind(wanted: kind, path: path)
  }

  /// Has the file's header say what it holds.
  func mark(_ kind: DatabaseKind) throws {
    guard try applicationID() != kind.applicationID else { return }
    try execute("PRAGMA application_id = \(kind.applicationID)")
  }

  private func applicationID() throws -> Int32 {
    try first("PRAGMA application_id") { Int32(truncatingIfNeeded: $0.integer(0)) } ?? 0
  }
}
