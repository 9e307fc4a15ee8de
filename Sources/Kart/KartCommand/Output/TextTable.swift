import KartAPI

/// Rows of text in columns as wide as their widest cell.
struct TextTable: Sendable {
  private var rows: [[String]]

  /// - Parameter titles: The cells of the first row.
  init(_ titles: [String]) {
    rows = [titles]
  }

  mutating func append(_ row: [String]) {
    // What is shown comes from others: a control character would upset the table, or the terminal.
    rows.append(
      row.map { cell in
        var scalars = cell.unicodeScalars
        scalars.removeAll { $0.steersDisplay }
        return String(scalars)
      })
  }

  /// The lines, each with its end.
  var text: String {
    var widths = [Int](repeating: 0, count: rows[0].count)
    for row in rows {
      for (column, cell) in row.enumerated() { widths[column] = max(widths[column], cell.count) }
    }
    var text = ""
    for row in rows {
      var line = ""
      for (column, cell) in row.enumerated() {
        line += cell + String(repeating: " ", count: widths[column] - cell.count + 2)
      }
      while line.last == " " { line.removeLast() }
      text += line + "\n"
    }
    return text
  }
}
