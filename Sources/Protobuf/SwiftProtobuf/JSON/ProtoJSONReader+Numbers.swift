extension ProtoJSONReader {
  /// A number's place in the text.
  struct Number {
    let range: Range<Int>
    /// Whether it has neither fraction nor exponent.
    let isInteger: Bool
  }

  /// Reads a number as JSON writes them.
  ///
  /// - Parameter isQuoted: Whether it is the content of a string, which is valid JSON whatever it says.
  mutating func number(isQuoted: Bool = false) throws -> Number {
    let first = peek()
    guard first == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
    else {
      // A value of another kind, or no value at all.
      let isValue = isQuoted ? position < text.count : "\"{[tfn".utf8.contains(first)
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
  @inlinable
  mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
    let integer = try integer()
    return try value(integer)
  }

  /// Reads an integer, in quotes or not.
  @usableFromInline
  mutating func integer() throws -> Integer {
    peek() == UInt8(ascii: "\"") ? try integerKey() : try unquotedInteger(isQuoted: false)
  }

  /// Reads an integer in quotes.
  @inlinable
  mutating func integerKey<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
    let integer = try integerKey()
    return try value(integer)
  }

  /// The integer as a value of its type.
  @inlinable
  func value<Value: FixedWidthInteger>(_ integer: Integer) throws -> Value {
    if !integer.isNegative {
      if let value = Value(exactly: integer.magnitude) { return value }
    } else if integer.magnitude <= 1 << 63 {
      // The negation of the magnitude, which may be one more than the largest positive value.
      let negated = Int64(truncatingIfNeeded: 0 &- integer.magnitude)
      if let value = Value(exactly: negated) { return value }
    }
    throw JSONDecodingError(code: .numberRange, byteOffset: integer.offset)
  }

  /// An integer before it is known whether it fits its type.
  @usableFromInline
  struct Integer {
    @usableFromInline var magnitude: UInt64
    @usableFromInline var isNegative: Bool
    /// Where its number begins.
    @usableFromInline var offset: Int
  }

  /// Reads an integer in quotes.
  @usableFromInline
  mutating func integerKey() throws -> Integer {
    guard peek() == UInt8(ascii: "\"") else {
      throw failure(.typeMismatch(expected: "a string"))
    }
    if hasEscapes() {
      let start = position
      var integer = try unescaped(expected: "a number") { try $0.integerKey() }
      integer.offset = start
      return integer
    }
    position += 1
    let integer = try unquotedInteger(isQuoted: true)
    try expectQuote()
    return integer
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
    expected: String, _ read: (inout ProtoJSONReader) throws -> Value
  ) throws -> Value {
    let start = position
    let string = try string()
    // No number and no word has a character that would still need an escape. A backslash that was
    // escaped itself begins no other escape.
    guard !string.utf8.contains(UInt8(ascii: "\\")) else {
      throw JSONDecodingError(code: .typeMismatch(expected: expected), byteOffset: start)
    }
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

  private mutating func unquotedInteger(isQuoted: Bool) throws -> Integer {
    let before = position
    let number = try number(isQuoted: isQuoted)
    // No white space between quote and number.
    if isQuoted, number.range.lowerBound != before {
      throw JSONDecodingError(code: .typeMismatch(expected: "a number"), byteOffset: before)
    }
    let isNegative = text[number.range.lowerBound] == UInt8(ascii: "-")
    let magnitude =
      number.isInteger
      ? magnitude(number.range.dropFirst(isNegative ? 1 : 0))
      : Double(string(number)).flatMap { UInt64(exactly: $0.magnitude) }
    guard let magnitude else {
      throw JSONDecodingError(code: .numberRange, byteOffset: number.range.lowerBound)
    }
    return Integer(
      magnitude: magnitude, isNegative: isNegative, offset: number.range.lowerBound)
  }

  /// The value of digits; nil if it is out of range.
  private func magnitude(_ digits: Range<Int>) -> UInt64? {
    var magnitude: UInt64 = 0
    for index in digits {
      let digit = UInt64(text[index] &- UInt8(ascii: "0"))
      let (product, isTooLarge) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, isTooLargeNow) = product.addingReportingOverflow(digit)
      if isTooLarge || isTooLargeNow { return nil }
      magnitude = sum
    }
    return magnitude
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
      return try unescaped(expected: "a number") { try $0.floatingPoint(type) }
    }
    let isQuoted = skip(UInt8(ascii: "\""))
    if isQuoted {
      if skip(exactly: "NaN\"") { return .nan }
      if skip(exactly: "Infinity\"") { return .infinity }
      if skip(exactly: "-Infinity\"") { return -.infinity }
    }
    let before = position
    let number = try number(isQuoted: isQuoted)
    // No white space between quote and number.
    if isQuoted, number.range.lowerBound != before {
      throw JSONDecodingError(code: .typeMismatch(expected: "a number"), byteOffset: before)
    }
    guard let value: Value = value(number) ?? Value(string(number)), value.isFinite else {
      throw JSONDecodingError(code: .numberRange, byteOffset: number.range.lowerBound)
    }
    if isQuoted { try expectQuote() }
    return value
  }

  /// The value of a number whose digits make an integer, and whose power of ten a number, that the
  /// type holds exactly: their product or quotient is rounded once, and correctly (Clinger, "How to
  /// Read Floating Point Numbers Accurately", 1990). Nil for other numbers.
  private func value<Value: BinaryFloatingPoint>(_ number: Number) -> Value? {
    let isNegative = text[number.range.lowerBound] == UInt8(ascii: "-")
    var digits: UInt64 = 0
    var count = 0
    var power = 0
    var index = number.range.lowerBound + (isNegative ? 1 : 0)
    var isFraction = false
    while index < number.range.upperBound {
      let byte = text[index]
      if byte == UInt8(ascii: ".") {
        isFraction = true
      } else if byte &- UInt8(ascii: "0") < 10 {
        digits = digits &* 10 &+ UInt64(byte &- UInt8(ascii: "0"))
        if digits != 0 { count += 1 }
        if isFraction { power -= 1 }
      } else {
        // Numbers with exponents are left to the library.
        return nil
      }
      index += 1
    }
    guard count <= 18, digits < 1 << UInt64(Value.significandBitCount),
      power >= -Self.exactPower(of: Value.self)
    else { return nil }
    var divisor: Value = 1
    for _ in power..<0 { divisor *= 10 }
    let magnitude = Value(digits) / divisor
    return isNegative ? -magnitude : magnitude
  }

  /// The largest exponent of a power of ten that the type holds exactly.
  private static func exactPower<Value: BinaryFloatingPoint>(of type: Value.Type) -> Int {
    Value.significandBitCount > 50 ? 22 : 10
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
    let expected = "\"true\" or \"false\""
    if peek() == UInt8(ascii: "\""), hasEscapes() {
      return try unescaped(expected: expected) { try $0.boolKey() }
    }
    throw failure(.typeMismatch(expected: expected))
  }

  /// Reads an enum's value by name or number; nil if it is unknown and to be ignored.
  @inlinable
  mutating func enumValue<E: Enum>(_ type: E.Type) throws -> E? {
    _ = peek()
    let start = position
    guard
      let number = try enumNumber(
        E._protobufNames, isNull: E.self == Google_Protobuf_NullValue.self)
    else { return nil }
    if let value = E(rawValue: number) { return value }
    if ignoresUnknownFields { return nil }
    throw JSONDecodingError(code: .unknownEnumValue("\(number)"), byteOffset: start)
  }

  /// Reads the number of an enum's value; nil if its name is unknown and to be ignored.
  @usableFromInline
  mutating func enumNumber(_ names: EnumTable, isNull: Bool) throws -> Int? {
    if isNull, skip(word: "null") { return 0 }
    guard peek() == UInt8(ascii: "\"") else { return Int(try integer(Int32.self)) }
    let start = position
    let name = try string()
    if let number = names.number(of: name) { return number }
    if ignoresUnknownFields { return nil }
    throw JSONDecodingError(code: .unknownEnumValue(name), byteOffset: start)
  }
}
