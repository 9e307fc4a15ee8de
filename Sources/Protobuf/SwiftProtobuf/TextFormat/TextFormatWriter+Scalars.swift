extension TextFormatWriter {
  /// Writes text that is text format already.
  mutating func write(raw text: StaticString) {
    output.append(contentsOf: text.description.utf8)
  }

  /// Writes an integer in decimal.
  mutating func write<Value: FixedWidthInteger>(integer value: Value) {
    output.append(contentsOf: String(value).utf8)
  }

  /// Writes the shortest decimal that reads back as the same number.
  mutating func write<Value: BinaryFloatingPoint & LosslessStringConvertible>(
    floatingPoint value: Value
  ) {
    guard value.isFinite else {
      return write(raw: value.isNaN ? "nan" : value < 0 ? "-inf" : "inf")
    }
    output.append(contentsOf: value.description.utf8)
    if output.last == UInt8(ascii: "0"), output.dropLast().last == UInt8(ascii: ".") {
      output.removeLast(2)
    }
  }

  /// Writes an enum's value by its name, or by its number if it has none.
  mutating func write<E: Enum>(enum value: E) {
    if let name = value.name {
      output.append(contentsOf: name.utf8)
    } else {
      write(integer: value.rawValue)
    }
  }

  /// Writes a string or bytes in quotes.
  ///
  /// - Parameter isUTF8: whether what is not ASCII may stand as it is.
  mutating func write(quoted bytes: Span<UInt8>, isUTF8: Bool) {
    output.append(UInt8(ascii: "\""))
    for index in bytes.indices {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\""): write(raw: "\\\"")
      case UInt8(ascii: "\\"): write(raw: "\\\\")
      case UInt8(ascii: "\n"): write(raw: "\\n")
      case UInt8(ascii: "\r"): write(raw: "\\r")
      case UInt8(ascii: "\t"): write(raw: "\\t")
      case 0x20..<0x7f: output.append(byte)
      case 0x80... where isUTF8: output.append(byte)
      default:
        output.append(UInt8(ascii: "\\"))
        for shift in [UInt8(6), 3, 0] { output.append(UInt8(ascii: "0") + (byte >> shift & 7)) }
      }
    }
    output.append(UInt8(ascii: "\""))
  }

  /// Writes an integer in hexadecimal with leading zeros.
  mutating func write<Value: FixedWidthInteger>(hexadecimal value: Value) {
    write(raw: "0x")
    for shift in stride(from: Value.bitWidth - 4, through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: value >> Value(shift) & 0xf)
      output.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}
