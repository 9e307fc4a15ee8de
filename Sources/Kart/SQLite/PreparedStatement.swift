import CSQLite

/// The C binding of one prepared statement: confined, like the `Database` that keeps it.
final class PreparedStatement {
  // Valid until deinit: SQLite frees a statement only when it is finalized.
  private let handle: OpaquePointer
  private let connection: Connection

  init(_ sql: String, on connection: Connection) throws {
    var handle: OpaquePointer?
    let persistent = UInt32(SQLITE_PREPARE_PERSISTENT)
    let code = sqlite3_prepare_v3(connection.handle, sql, -1, persistent, &handle, nil)
    guard code == SQLITE_OK else { throw connection.error(code) }
    guard let handle else {
      throw SQLiteError(code: SQLITE_MISUSE, path: connection.path, message: "an empty statement")
    }
    self.handle = handle
    self.connection = connection
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// Binds every parameter of the statement, in order.
  func bind(_ values: [Value]) throws {
    let expected = Int(sqlite3_bind_parameter_count(handle))
    guard values.count == expected else {
      throw SQLiteError(
        code: SQLITE_RANGE, path: connection.path,
        message: "\(values.count) values for a statement of \(expected) parameters")
    }
    for (offset, value) in values.enumerated() {
      let code = bind(value, at: Int32(offset + 1))
      guard code == SQLITE_OK else { throw connection.error(code) }
    }
  }

  private func bind(_ value: Value, at index: Int32) -> Int32 {
    // SQLITE_TRANSIENT: SQLite copies the bytes before the call returns, so they need not outlive it.
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch value {
    case .null:
      return sqlite3_bind_null(handle, index)
    case .integer(let integer):
      return sqlite3_bind_int64(handle, index, integer)
    case .real(let real):
      return sqlite3_bind_double(handle, index, real)
    case .text(var text):
      // An empty buffer may have no address, which SQLite would take for NULL.
      guard !text.isEmpty else { return sqlite3_bind_text(handle, index, "", 0, transient) }
      return text.withUTF8 { utf8 in
        utf8.withMemoryRebound(to: CChar.self) { characters in
          sqlite3_bind_text64(
            handle, index, characters.baseAddress, UInt64(characters.count), transient,
            UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let bytes):
      guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, index, 0) }
      return bytes.withUnsafeBytes { bytes in
        sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), transient)
      }
    }
  }

  /// Steps to the next row.
  ///
  /// - Returns: Whether there is one.
  func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: true
    case SQLITE_DONE: false
    case let code: throw connection.error(code)
    }
  }

  /// Makes the statement ready for its next run, and lets go of what was bound.
  func reset() {
    // It repeats the code of the last step, which `step` has already thrown.
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL
  }

  func integer(_ column: Int) -> Int64 {
    sqlite3_column_int64(handle, Int32(column))
  }

  func real(_ column: Int) -> Double {
    sqlite3_column_double(handle, Int32(column))
  }

  func text(_ column: Int) -> String {
    guard let characters = sqlite3_column_text(handle, Int32(column)) else { return "" }
    // The length comes after the text, as SQLite asks, since the first may convert the column.
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    return String(
      decoding: UnsafeBufferPointer(start: characters, count: count), as: UTF8.self)
  }

  func blob(_ column: Int) -> [UInt8] {
    guard let bytes = sqlite3_column_blob(handle, Int32(column)) else { return [] }
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    return Array(UnsafeRawBufferPointer(start: bytes, count: count))
  }
}
