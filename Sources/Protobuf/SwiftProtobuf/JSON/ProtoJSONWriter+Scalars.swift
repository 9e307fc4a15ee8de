extension ProtoJSONWriter {
  /// Writes text that is JSON already.
  mutating func write(raw text: StaticString) {
    output.append(contentsOf: text.description.utf8)
  }

  /// Writes an integer in decimal.
  @inlinable
  mutating func write<Value: FixedWidthInteger>(integer value: Value) {
    write(magnitude: UInt64(value.magnitude), isNegative: value < 0)
  }

  @usableFromInline
  mutating func write(magnitude: UInt64, isNegative: Bool) {
    if isNegative { output.append(UInt8(ascii: "-")) }
    if magnitude < 10 { return output.append(UInt8(ascii: "0") &+ UInt8(magnitude)) }
    var digits = [20 of UInt8](repeating: 0)
    var start = 20
    var rest = magnitude
    repeat {
      start &-= 1
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      digits[start] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)
      rest = quotient
    } while rest > 0
    for index in start..<20 { output.append(digits[index]) }
  }

  /// Writes an integer of 64 bits: as a string, since most readers hold numbers as doubles.
  @inlinable
  mutating func write64<Value: FixedWidthInteger>(_ value: Value) {
    if options.alwaysPrintInt64sAsNumbers {
      write(integer: value)
    } else {
      writeKey(integer: value)
    }
  }

  /// Writes an integer in quotes.
  @inlinable
  mutating func writeKey<Value: FixedWidthInteger>(integer value: Value) {
    quote()
    write(integer: value)
    quote()
  }

  @usableFromInline
  mutating func quote() {
    output.append(UInt8(ascii: "\""))
  }

  /// Writes the shortest decimal that reads back as the same number.
  mutating func write<Value: BinaryFloatingPoint & LosslessStringConvertible>(
    floatingPoint value: Value
  ) {
    guard value.isFinite else {
      return write(raw: value.isNaN ? "\"NaN\"" : value < 0 ? "\"-Infinity\"" : "\"Infinity\"")
    }
    // Integers as large as 2^53 are exact, and quicker to write as such.
    if value.magnitude < 9_007_199_254_740_992, value.rounded(.towardZero) == value {
      // Many readers take "-0" for an integer, and drop its sign.
      return value == 0 && value.sign == .minus ? write(raw: "-0.0") : write(integer: Int64(value))
    }
    output.append(contentsOf: value.description.utf8)
    if output.last == UInt8(ascii: "0"), output.dropLast().last == UInt8(ascii: ".") {
      output.removeLast(2)
    }
  }

  /// Writes an enum's value by its name, or by its number if it has none.
  @inlinable
  mutating func write<E: Enum>(enum value: E) {
    write(
      enumNumber: value.rawValue, names: E._protobufNames,
      isNull: E.self == Google_Protobuf_NullValue.self)
  }

  @usableFromInline
  mutating func write(enumNumber number: Int, names: EnumTable, isNull: Bool) {
    if isNull {
      write(raw: "null")
    } else if !options.alwaysPrintEnumsAsInts, let name = names.name(of: number) {
      write(string: name)
    } else {
      write(integer: number)
    }
  }

  /// Writes bytes in base64 with padding.
  mutating func write(base64 bytes: [UInt8]) {
    output.append(UInt8(ascii: "\""))
    Base64.encode(bytes.span, into: &output)
    output.append(UInt8(ascii: "\""))
  }

  /// Writes a string, escaping what JSON does not allow as it is.
  mutating func write(string: String) {
    quote()
    let utf8 = string.utf8Span.span
    var index = utf8.firstSpecial(from: 0)
    if index == utf8.count {
      // Most strings need no escape.
      output.append(contentsOf: string.utf8)
    } else {
      var copied = 0
      while index < utf8.count {
        output.append(copying: utf8.extracting(copied..<index).bytes)
        copied = index + 1
        escape(utf8[index])
        index = utf8.firstSpecial(from: copied)
      }
      output.append(copying: utf8.extracting(copied..<index).bytes)
    }
    quote()
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): write(raw: "\\\"")
    case UInt8(ascii: "\\"): write(raw: "\\\\")
    case UInt8(ascii: "\n"): write(raw: "\\n")
    case UInt8(ascii: "\r"): write(raw: "\\r")
    case UInt8(ascii: "\t"): write(raw: "\\t")
    case 0x08: write(raw: "\\b")
    case 0x0c: write(raw: "\\f")
    default:
      write(raw: "\\u00")
      for digit in [byte >> 4, byte & 0xf] {
        output.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
  }
}
