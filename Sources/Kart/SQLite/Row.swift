/// The row a query stands on. It is lent to the closure that reads it and cannot leave it, because the
/// next step of the statement overwrites it. Columns count from 0; one of another type is converted
/// by SQLite's rules.
package struct Row: ~Copyable {
  private let statement: PreparedStatement

  init(_ statement: PreparedStatement) {
    self.statement = statement
  }

  package func isNull(_ column: Int) -> Bool {
    statement.isNull(column)
  }

  package func integer(_ column: Int) -> Int64 {
    statement.integer(column)
  }

  package func real(_ column: Int) -> Double {
    statement.real(column)
  }

  package func text(_ column: Int) -> String {
    statement.text(column)
  }

  package func blob(_ column: Int) -> [UInt8] {
    statement.blob(column)
  }
}
