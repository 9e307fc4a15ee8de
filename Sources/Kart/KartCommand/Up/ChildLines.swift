import KartProcess

/// Parts what a child writes into lines and has each tell the child's name.
struct ChildLines: Sendable {
  /// How a line tells whose it is.
  enum Mark: Hashable, Sendable {
    /// This is put before it.
    case prefix(String)
    /// It is a JSON object, with this name in its field `process`. A line that is none, such as a
    /// crash's last words, becomes one.
    case field(process: String)
  }

  /// Longer lines are cut into pieces.
  static let longestLine = 16 << 10

  private let mark: Mark
  private var rest: [UInt8] = []
  /// The last line that was complete, without its end.
  private(set) var last = ""

  init(marked mark: Mark) {
    self.mark = mark
  }

  /// Takes what was read.
  ///
  /// - Returns: The lines that are complete now, each with its mark and its end; nil for none.
  mutating func append(_ bytes: [UInt8]) -> String? {
    var text = ""
    for piece in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .dropLast()
    {
      rest += piece
      text += takeLine()
    }
    rest += bytes[((bytes.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1)...]
    if rest.count >= Self.longestLine { text += takeLine() }
    return text.isEmpty ? nil : text
  }

  /// What is left when the child has ended.
  mutating func finish() -> String? {
    rest.isEmpty ? nil : takeLine()
  }

  private mutating func takeLine() -> String {
    last = String(decoding: rest, as: UTF8.self)
    rest.removeAll(keepingCapacity: true)
    return marked(last) + "\n"
  }

  private func marked(_ line: String) -> String {
    switch mark {
    case .prefix(let prefix):
      return prefix + line
    case .field(let process):
      let field = "\"process\":\(process.quotedJSON)"
      guard line.hasPrefix("{\""), line.hasSuffix("}") else {
        return "{\(field),\"output\":\(line.quotedJSON)}"
      }
      return "\(line.dropLast()),\(field)}"
    }
  }
}
