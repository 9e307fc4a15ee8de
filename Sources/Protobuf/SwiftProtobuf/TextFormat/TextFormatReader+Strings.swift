extension TextFormatReader {
  /// Reads a string: adjacent literals are one.
  mutating func string() throws -> String {
    _ = peek()
    let start = position
    let bytes = try quoted()
    do {
      return String(copying: try UTF8Span(validating: bytes.span))
    } catch {
      throw failure(.invalidUTF8, at: start)
    }
  }

  /// Reads the bytes of adjacent string literals.
  mutating func quoted() throws -> [UInt8] {
    var bytes: [UInt8] = []
    guard peek() == UInt8(ascii: "\"") || current == UInt8(ascii: "'") else {
      throw failure(.typeMismatch(expected: "a string"))
    }
    repeat {
      try literal(into: &bytes)
    } while peek() == UInt8(ascii: "\"") || current == UInt8(ascii: "'")
    return bytes
  }

  private mutating func literal(into bytes: inout [UInt8]) throws {
    let quote = current
    let start = position
    position += 1
    while position < text.count {
      let byte = text[position]
      switch byte {
      case quote:
        position += 1
        return
      case UInt8(ascii: "\\"):
        try escape(into: &bytes)
      case UInt8(ascii: "\n"), 0:
        throw failure(.malformedString, at: start)
      default:
        bytes.append(byte)
        position += 1
      }
    }
    throw failure(.malformedString, at: start)
  }

  /// Reads an escape, from the backslash on.
  private mutating func escape(into bytes: inout [UInt8]) throws {
    let start = position
    position += 1
    let kind = current
    position += 1
    switch kind {
    case UInt8(ascii: "a"): bytes.append(0x07)
    case UInt8(ascii: "b"): bytes.append(0x08)
    case UInt8(ascii: "f"): bytes.append(0x0c)
    case UInt8(ascii: "n"): bytes.append(0x0a)
    case UInt8(ascii: "r"): bytes.append(0x0d)
    case UInt8(ascii: "t"): bytes.append(0x09)
    case UInt8(ascii: "v"): bytes.append(0x0b)
    case UInt8(ascii: "?"), UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""):
      bytes.append(kind)
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      position -= 1
      bytes.append(try octalByte(start))
    case UInt8(ascii: "x"), UInt8(ascii: "X"):
      bytes.append(UInt8(truncatingIfNeeded: try hexadecimal(digits: 1...2, start)))
    case UInt8(ascii: "u"), UInt8(ascii: "U"):
      // Surrogates are no characters here, not even in pairs.
      let count = kind == UInt8(ascii: "u") ? 4 : 8
      guard let scalar = Unicode.Scalar(try hexadecimal(digits: count...count, start)) else {
        throw failure(.invalidUTF8, at: start)
      }
      bytes.append(contentsOf: String(Character(scalar)).utf8)
    default:
      throw failure(.malformedString, at: start)
    }
  }

  private mutating func octalByte(_ start: Int) throws -> UInt8 {
    var value = 0
    var count = 0
    while count < 3, (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(current) {
      value = value << 3 | Int(current - UInt8(ascii: "0"))
      position += 1
      count += 1
    }
    guard let byte = UInt8(exactly: value) else { throw failure(.malformedString, at: start) }
    return byte
  }

  private mutating func hexadecimal(digits: ClosedRange<Int>, _ start: Int) throws -> UInt32 {
    var value: UInt32 = 0
    var count = 0
    while count < digits.upperBound, let digit = current.hexadecimalValue {
      value = value << 4 | UInt32(digit)
      position += 1
      count += 1
    }
    guard count >= digits.lowerBound else { throw failure(.malformedString, at: start) }
    return value
  }
}
