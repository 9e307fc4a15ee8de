extension ProtoJSONReader {
  /// A number's place in the text.
  struct Number {
    let range: Range<Int>
    /// Whether it has neither fraction nor exponent.
    let isInteger: Bool
  }

  /// Reads a number as JSON writes them.
  mutating func number() throws -> Number {
    let first = peek()
    guard first == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
    else {
      // A value of another kind, or no value at all.
      let isValue = "\"{[tfn".utf8.contains(first)
      throw failure(isValue ? .typeMismatch(expected: "a number") : .malformedJSON)
    }
    let start = position
    if first == UInt8(ascii: "-") { position += 1 }
    let digits = position
    try skipDigits()
    if position - digits > 1, text[digits] == UInt8(ascii: "0") { throw failure(.malformedJSON) }
    var isInteger = true
    if position < text.count, text[position] == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      try skipDigits()
    }
    if position < text.count, text[position] | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      position += 1
      if position < text.count,
        text[position] == UInt8(ascii: "+") || text[position] == UInt8(ascii: "-")
      {
        position += 1
      }
      try skipDigits()
    }
    return Number(range: start..<position, isInteger: isInteger)
  }

  private mutating func skipDigits() throws {
    let start = position
    while position < text.count, text[position] &- UInt8(ascii: "0") < 10 { position += 1 }
    if position == start { throw failure(.malformedJSON) }
  }

  /// Reads an integer, in quotes or not. It may have a fraction or an exponent if its value is
  /// integral.
  mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
    if peek() == UInt8(ascii: "\"") { return try integerKey(type) }
    return try unquotedInteger(type, isQuoted: false)
  }

  /// Reads an integer in quotes.
  mutating func integerKey<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
    guard peek() == UInt8(ascii: "\"") else {
      throw failure(.typeMismatch(expected: "a string"))
    }
    if hasEscapes() { return try unescaped { try $0.integerKey(type) } }
    position += 1
    let value = try unquotedInteger(type, isQuoted: true)
    try expectQuote()
    return value
  }

  /// Whether the string that is next has escapes.
  private mutating func hasEscapes() -> Bool {
    var index = position + 1
    while index < text.count, text[index] != UInt8(ascii: "\"") {
      if text[index] == UInt8(ascii: "\\") { return true }
      index += 1
    }
    return false
  }

  /// Reads a string with escapes as `read` reads the same string without them.
  private mutating func unescaped<Value>(
    _ read: (inout ProtoJSONReader) throws -> Value
  ) throws -> Value {
    let start = position
    let string = try string()
    // No number and no word has a character that would still need an escape.
    let quoted = "\"\(string)\""
    do {
      var reader = ProtoJSONReader(
        quoted.utf8Span.span, extensions: nil, options: JSONDecodingOptions())
      let value = try read(&reader)
      try reader.expectEnd()
      return value
    } catch var error as JSONDecodingError {
      error.byteOffset = start
      throw error
    }
  }

  /// Reads the quote right after a number.
  private mutating func expectQuote() throws {
    guard position < text.count, text[position] == UInt8(ascii: "\"") else {
      throw failure(.typeMismatch(expected: "a number"))
    }
    position += 1
  }

  private mutating func unquotedInteger<Value: FixedWidthInteger>(
    _ type: Value.Type, isQuoted: Bool
  ) throws -> Value {
    let before = position
    let number = try number()
    // No white space between quote and number.
    if isQuoted, number.range.lowerBound != before {
      throw JSONDecodingError(code: .typeMismatch(expected: "a number"), byteOffset: before)
    }
    let value =
      number.isInteger
      ? integer(type, number) : Double(string(number)).flatMap { Value(exactly: $0) }
    guard let value else {
      throw JSONDecodingError(code: .numberRange, byteOffset: number.range.lowerBound)
    }
    return value
  }

  /// The value of a number without fraction and exponent; nil if it is out of range.
  private func integer<Value: FixedWidthInteger>(_ type: Value.Type, _ number: Number) -> Value? {
    let isNegative = text[number.range.lowerBound] == UInt8(ascii: "-")
    var magnitude: UInt64 = 0
    for index in number.range.dropFirst(isNegative ? 1 : 0) {
      let digit = UInt64(text[index] &- UInt8(ascii: "0"))
      let (product, isTooLarge) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, isTooLargeNow) = product.addingReportingOverflow(digit)
      if isTooLarge || isTooLargeNow { return nil }
      magnitude = sum
    }
    guard isNegative else { return Value(exactly: magnitude) }
    // The negation of the magnitude, which may be one more than the largest positive value.
    return magnitude <= 1 << 63 ? Value(exactly: Int64(truncatingIfNeeded: 0 &- magnitude)) : nil
  }

  private func string(_ number: Number) -> String {
    // Only ASCII passes as a number.
    guard let digits = try? UTF8Span(validating: text.extracting(number.range)) else { return "" }
    return String(copying: digits)
  }

  /// Reads a float or double: a number, in quotes or not, or the name of one that is not finite.
  mutating func floatingPoint<Value: BinaryFloatingPoint & LosslessStringConvertible>(
    _ type: Value.Type
  ) throws -> Value {
    if peek() == UInt8(ascii: "\""), hasEscapes() {
      return try unescaped { try $0.floatingPoint(type) }
    }
    let isQuoted = skip(UInt8(ascii: "\""))
    if isQuoted {
      if skip(exactly: "NaN\"") { return .nan }
      if skip(exactly: "Infinity\"") { return .infinity }
      if skip(exactly: "-Infinity\"") { return -.infinity }
    }
    let before = position
    let number = try number()
    // No white space between quote and number.
    if isQuoted, number.range.lowerBound != before {
      throw JSONDecodingError(code: .typeMismatch(expected: "a number"), byteOffset: before)
    }
    guard let value = Value(string(number)), value.isFinite else {
      throw JSONDecodingError(code: .numberRange, byteOffset: number.range.lowerBound)
    }
    if isQuoted { try expectQuote() }
    return value
  }

  /// Reads `true` or `false`.
  mutating func bool() throws -> Bool {
    if skip(word: "true") { return true }
    if skip(word: "false") { return false }
    throw failure(.typeMismatch(expected: "true or false"))
  }

  /// Reads `"true"` or `"false"`.
  mutating func boolKey() throws -> Bool {
    if skip(word: "\"true\"") { return true }
    if skip(word: "\"false\"") { return false }
    if peek() == UInt8(ascii: "\""), hasEscapes() { return try unescaped { try $0.boolKey() } }
    throw failure(.typeMismatch(expected: "\"true\" or \"false\""))
  }

  /// Reads an enum's value by name or number; nil if it is unknown and to be ignored.
  mutating func enumValue<E: Enum>(_ type: E.Type) throws -> E? {
    if E.self == Google_Protobuf_NullValue.self, skip(word: "null") { return E() }
    let first = peek()
    let start = position
    if first == UInt8(ascii: "\"") {
      let name = try string()
      if let value = E(name: name) { return value }
      if ignoresUnknownFields { return nil }
      throw JSONDecodingError(code: .unknownEnumValue(name), byteOffset: start)
    }
    let number = try integer(Int32.self)
    if let value = E(rawValue: Int(number)) { return value }
    if ignoresUnknownFields { return nil }
    throw JSONDecodingError(code: .unknownEnumValue("\(number)"), byteOffset: start)
  }
}
