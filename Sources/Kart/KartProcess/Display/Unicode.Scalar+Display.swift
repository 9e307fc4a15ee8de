extension Unicode.Scalar {
  /// Whether it steers a display instead of showing anything: controls, ends of lines, and what turns
  /// the direction of the text behind it. No name has one, and no terminal is to be shown one.
  package var steersDisplay: Bool {
    switch (properties.generalCategory, value) {
    case (.control, _), (.lineSeparator, _), (.paragraphSeparator, _): true
    case (_, 0x202a...0x202e), (_, 0x2066...0x2069): true
    default: false
    }
  }

  /// Whether nobody sees it where it stands alone: spaces, what only shapes or joins others, and blanks that are
  /// no spaces.
  package var showsNothing: Bool {
    if steersDisplay || properties.isWhitespace || properties.isDefaultIgnorableCodePoint {
      return true
    }
    // The Braille cell without a dot.
    return properties.generalCategory == .format || value == 0x2800
  }
}
