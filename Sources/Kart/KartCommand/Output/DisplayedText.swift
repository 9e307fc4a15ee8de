import KartProcess

/// How text comes to be on a terminal's screen.
///
/// A terminal's cells are as wide as a Latin letter. Chinese, Japanese and Korean characters take two of them and so
/// do emoji, however many code points those are made of; combining marks and the like take none.
extension String {
  /// The text without what steers a display: what is shown comes from others, and a control character would upset
  /// the screen.
  var displayable: String {
    guard unicodeScalars.contains(where: \.steersDisplay) else { return self }
    var scalars = unicodeScalars
    scalars.removeAll { $0.steersDisplay }
    return String(scalars)
  }

  /// How many cells the text takes.
  var cellCount: Int { reduce(0) { $0 + $1.cellCount } }

  /// The longest beginning that takes no more than so many cells.
  func prefix(cells: Int) -> Substring {
    var left = cells
    return prefix { character in
      left -= character.cellCount
      return left >= 0
    }
  }
}

extension Character {
  fileprivate var cellCount: Int {
    guard let first = unicodeScalars.first else { return 0 }
    // One picture, of a sequence of code points each of which could be one.
    if first.properties.isEmojiPresentation { return 2 }
    if first.properties.isEmoji, unicodeScalars.contains("\u{fe0f}") { return 2 }
    return unicodeScalars.reduce(0) { $0 + $1.cellCount }
  }
}

extension Unicode.Scalar {
  fileprivate var cellCount: Int {
    if value < 0x300 { return properties.generalCategory == .control ? 0 : 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .lineSeparator, .paragraphSeparator: return 0
    default: break
    }
    // Vowels and final consonants of Korean, which join the consonant before them.
    if (0x1160...0x11ff).contains(value) || (0xd7b0...0xd7ff).contains(value) { return 0 }
    return properties.isEmojiPresentation || isWide ? 2 : 1
  }

  private var isWide: Bool {
    var low = 0
    var high = Self.wide.count
    while low < high {
      let middle = (low + high) / 2
      if Self.wide[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < Self.wide.count && Self.wide[low].contains(value)
  }

  /// East_Asian_Width W and F of Unicode 17.0 (EastAsianWidth.txt), but for emoji, which the standard library knows;
  /// a range may hold marks that take no cell, emoji, and code points without a character.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115f, 0x2329...0x232a, 0x2630...0x2637, 0x268a...0x268f, 0x2e80...0x303e,
    0x3041...0x3247, 0x3250...0xa4c6, 0xa960...0xa97c, 0xac00...0xd7a3, 0xf900...0xfaff,
    0xfe10...0xfe6b, 0xff01...0xff60, 0xffe0...0xffe6, 0x16fe0...0x16fe3, 0x16ff2...0x18df2,
    0x1aff0...0x1b2fb, 0x1d300...0x1d376, 0x1f200...0x1f265, 0x20000...0x3fffd,
  ]
}
