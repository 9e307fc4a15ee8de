// What nothing is known of is read by the grammar alone.
extension TextFormatReader {
  /// Reads over the rest of a field, from behind its name on.
  mutating func skipField() throws {
    let hasColon = skip(":")
    switch peek() {
    case UInt8(ascii: "{"), UInt8(ascii: "<"):
      try skipMessage()
    case UInt8(ascii: "["):
      try skipList(ofMessages: !hasColon)
    default:
      guard hasColon else { throw failure(.malformedText) }
      try skipScalar()
    }
  }

  private mutating func skipList(ofMessages: Bool) throws {
    try expect("[")
    if skip("]") { return }
    repeat {
      if peek() == UInt8(ascii: "{") || current == UInt8(ascii: "<") {
        try skipMessage()
      } else if ofMessages {
        throw failure(.typeMismatch(expected: "a message"))
      } else {
        try skipScalar()
      }
    } while skip(",")
    try expect("]")
  }

  private mutating func skipMessage() throws {
    let close = try open()
    try enter()
    while !skip(close) {
      if skip("[") {
        while !skip("]") {
          if isAtEnd { throw failure(.malformedText) }
          position += 1
        }
      } else if current.isDigit {
        _ = try number()
      } else {
        _ = try identifier()
      }
      try skipField()
      if !skip(",") { _ = skip(";") }
    }
    leave()
  }

  private mutating func skipScalar() throws {
    switch peek() {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      _ = try quoted()
    default:
      let isNegative = skip("-")
      _ = peek()
      if let range = identifierRange() {
        guard !isNegative || floatName(range) != nil else { throw failure(.malformedNumber) }
        position = range.upperBound
      } else {
        _ = try number()
      }
    }
  }
}
