extension String {
  private static let longestExcerpt = 200

  /// The text with what steers a display written as in source, such as `\u{1b}`: messages quote what came from
  /// others, and a terminal shows them.
  package var escapedForDisplay: String {
    guard unicodeScalars.contains(where: \.steersDisplay) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.steersDisplay {
        text += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }

  /// A name as a message quotes it: in quotation marks, ``escapedForDisplay``, and where it is too long for a name,
  /// only its beginning.
  package var quotedName: String {
    guard utf8.count > Self.longestExcerpt else { return "\"\(escapedForDisplay)\"" }
    let excerpt = String(decoding: utf8.prefix(Self.longestExcerpt), as: UTF8.self)
    // The last character may be cut in half.
    return "\"\(excerpt.dropLast().description.escapedForDisplay)…\""
  }
}
