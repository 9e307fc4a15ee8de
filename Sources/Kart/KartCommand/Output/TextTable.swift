/// Rows of text in columns as wide as their widest cell on a terminal's screen.
struct TextTable: Sendable {
  private var rows: [[String]]

  /// - Parameter titles: The cells of the first row.
  init(_ titles: [String]) {
    rows = [titles.map(\.displayable)]
  }

  mutating func append(_ row: [String]) {
    rows.append(row.map(\.displayable))
  }

  /// The lines, each with its end.
  var text: String {
    var widths = [Int](repeating: 0, count: rows[0].count)
    for row in rows {
      for (column, cell) in row.enumerated() {
        widths[column] = max(widths[column], cell.cellCount)
      }
    }
    var text = ""
    for row in rows {
      var line = ""
      for (column, cell) in row.enumerated() {
        line += cell + String(repeating: " ", count: widths[column] - cell.cellCount + 2)
      }
      while line.last == " " { line.removeLast() }
      text += line + "\n"
    }
    return text
  }
}
