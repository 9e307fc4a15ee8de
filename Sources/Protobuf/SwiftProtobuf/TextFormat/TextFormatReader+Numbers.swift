extension TextFormatReader {
  /// A number without its sign.
  struct Number {
    enum Kind {
      case decimal, octal, hexadecimal, floatingPoint
    }

    let kind: Kind
    /// The digits, without a prefix or a suffix.
    let digits: Range<Int>
    let start: Int
  }

  /// Reads a number without a sign.
  mutating func number() throws -> Number {
    _ = peek()
    let start = position
    guard current.isDigit || current == UInt8(ascii: ".") else {
      throw failure(.typeMismatch(expected: "a number"))
    }
    let number = try unsignedNumber(start)
    // What follows directly would read as part of the number.
    if current.isIdentifierHead || current.isDigit || current == UInt8(ascii: ".") {
      throw failure(.malformedNumber, at: start)
    }
    return number
  }

  private mutating func unsignedNumber(_ start: Int) throws -> Number {
    if current == UInt8(ascii: "0"), position + 1 < text.count {
      if text[position + 1] | 0x20 == UInt8(ascii: "x") {
        position += 2
        let digits = position
        while current.hexadecimalValue != nil { position += 1 }
        guard position > digits else { throw failure(.malformedNumber, at: start) }
        return Number(kind: .hexadecimal, digits: digits..<position, start: start)
      }
      if text[position + 1].isDigit {
        while current.isDigit {
          guard current < UInt8(ascii: "8") else { throw failure(.malformedNumber, at: start) }
          position += 1
        }
        return Number(kind: .octal, digits: start..<position, start: start)
      }
    }
    return try decimalNumber(start)
  }

  private mutating func decimalNumber(_ start: Int) throws -> Number {
    var kind = Number.Kind.decimal
    var hasDigits = skipDigits()
    if current == UInt8(ascii: ".") {
      kind = .floatingPoint
      position += 1
      hasDigits = skipDigits() || hasDigits
    }
    guard hasDigits else { throw failure(.malformedNumber, at: start) }
    if current | 0x20 == UInt8(ascii: "e") {
      kind = .floatingPoint
      position += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
      guard skipDigits() else { throw failure(.malformedNumber, at: start) }
    }
    let end = position
    if current | 0x20 == UInt8(ascii: "f") {
      kind = .floatingPoint
      position += 1
    }
    return Number(kind: kind, digits: start..<end, start: start)
  }

  private mutating func skipDigits() -> Bool {
    let start = position
    while current.isDigit { position += 1 }
    return position > start
  }

  /// Reads an integer in decimal, octal or hexadecimal.
  mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
    _ = peek()
    let start = position
    let isNegative = skip("-")
    let number = try number()
    guard let magnitude = try magnitude(number) else { throw failure(.numberRange, at: start) }
    if !isNegative, let value = Value(exactly: magnitude) { return value }
    // The negation of the magnitude, which may be one more than the largest positive value.
    if isNegative, magnitude <= 1 << 63, Value.isSigned,
      let value = Value(exactly: Int64(truncatingIfNeeded: 0 &- magnitude))
    {
      return value
    }
    throw failure(.numberRange, at: start)
  }

  /// The value of an integer; nil if it is out of range.
  private func magnitude(_ number: Number) throws -> UInt64? {
    let radix: UInt64
    switch number.kind {
    case .decimal: radix = 10
    case .octal: radix = 8
    case .hexadecimal: radix = 16
    case .floatingPoint: throw failure(.typeMismatch(expected: "an integer"), at: number.start)
    }
    var value: UInt64 = 0
    for index in number.digits {
      let (product, isTooLarge) = value.multipliedReportingOverflow(by: radix)
      let digit = UInt64(text[index].hexadecimalValue ?? 0)
      let (sum, isTooLargeNow) = product.addingReportingOverflow(digit)
      if isTooLarge || isTooLargeNow { return nil }
      value = sum
    }
    return value
  }

  /// Reads a float or double: a decimal number, or the name of one that is not finite.
  mutating func floatingPoint<Value: BinaryFloatingPoint & LosslessStringConvertible>(
    _ type: Value.Type
  ) throws -> Value {
    let isNegative = skip("-")
    _ = peek()
    let value: Value
    if let range = identifierRange() {
      guard let name = floatName(range) else {
        throw failure(.typeMismatch(expected: "a number"))
      }
      position = range.upperBound
      value = name == .nan ? .nan : .infinity
    } else {
      let number = try number()
      guard number.kind == .decimal || number.kind == .floatingPoint else {
        throw failure(.typeMismatch(expected: "a decimal number"), at: number.start)
      }
      value = try decimal(number)
    }
    return isNegative ? -value : value
  }

  private func decimal<Value: BinaryFloatingPoint & LosslessStringConvertible>(
    _ number: Number
  ) throws -> Value {
    var digits = string(number.digits)
    // Swift wants digits on both sides of a point.
    if digits.hasPrefix(".") { digits = "0" + digits }
    if let point = digits.firstIndex(of: "."),
      digits[digits.index(after: point)...].first?.isWholeNumber != true
    {
      digits.insert("0", at: digits.index(after: point))
    }
    guard let value = Value(digits) else { throw failure(.malformedNumber, at: number.start) }
    return value
  }

  /// The names of numbers that are not finite.
  enum FloatName {
    case infinity, nan
  }

  /// The number that an identifier stands for, whatever its case; nil if it is another word.
  func floatName(_ range: Range<Int>) -> FloatName? {
    switch string(range).lowercased() {
    case "inf", "infinity": .infinity
    case "nan": .nan
    default: nil
    }
  }

  /// Reads a bool: a word or a number.
  mutating func bool() throws -> Bool {
    _ = peek()
    let start = position
    if let range = identifierRange() {
      position = range.upperBound
      switch string(range) {
      case "true", "True", "t": return true
      case "false", "False", "f": return false
      default: throw failure(.typeMismatch(expected: "true or false"), at: start)
      }
    }
    guard current.isDigit, let value = try magnitude(try number()), value < 2 else {
      throw failure(.typeMismatch(expected: "true or false"), at: start)
    }
    return value == 1
  }

  /// Reads an enum's value by name or number.
  mutating func enumValue<E: Enum>(_ type: E.Type) throws -> E {
    _ = peek()
    let start = position
    if let range = identifierRange() {
      position = range.upperBound
      let name = string(range)
      guard let value = E(name: name) else { throw failure(.unknownEnumValue(name), at: start) }
      return value
    }
    let number = try integer(Int32.self)
    guard let value = E(rawValue: Int(number)) else {
      throw failure(.unknownEnumValue("\(number)"), at: start)
    }
    return value
  }
}
