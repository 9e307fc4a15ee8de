/// Writes indented source text.
public struct SourceWriter: Sendable {
  /// The text so far.
  public private(set) var text = ""
  private var indentation = ""

  /// Starts an empty text.
  public init() {}

  /// Writes lines, which may be empty.
  public mutating func line(_ lines: String...) {
    self.lines(lines)
  }

  /// Writes lines, which may be empty.
  public mutating func lines(_ lines: some Sequence<String>) {
    for line in lines {
      text += line.isEmpty ? "\n" : "\(indentation)\(line)\n"
    }
  }

  /// Writes what `body` does two spaces deeper.
  public mutating func indented(_ body: (inout SourceWriter) throws -> Void) rethrows {
    indentation += "  "
    try body(&self)
    indentation.removeLast(2)
  }

  /// Writes `head {`, what `body` does two spaces deeper, and `}`.
  public mutating func block(
    _ head: String, _ body: (inout SourceWriter) throws -> Void
  ) rethrows {
    line("\(head) {")
    try indented(body)
    line("}")
  }

  /// Writes a documentation comment.
  ///
  /// - Parameter comment: its lines, without marks.
  public mutating func documentation(_ comment: [String]) {
    lines(comment.map { $0.isEmpty ? "///" : "/// \($0)" })
  }
}
