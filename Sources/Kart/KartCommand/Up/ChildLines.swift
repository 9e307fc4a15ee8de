/// Parts what a child writes into lines and puts the child's name before each.
struct ChildLines: Sendable {
  /// Longer lines are cut into pieces.
  static let longestLine = 16 << 10

  private let prefix: String
  private var rest: [UInt8] = []
  /// The last line that was complete, without its end.
  private(set) var last = ""

  init(prefix: String) {
    self.prefix = prefix
  }

  /// Takes what was read.
  ///
  /// - Returns: The lines that are complete now, each with its prefix and its end; nil for none.
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
    return "\(prefix)\(last)\n"
  }
}
