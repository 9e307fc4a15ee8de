extension ProtoJSONReader {
  /// Reads a string.
  @usableFromInline
  mutating func string() throws -> String {
    guard peek() == UInt8(ascii: "\"") else {
      throw failure(.typeMismatch(expected: "a string"))
    }
    position += 1
    let start = position
    // Most strings have no escapes and are read in place.
    position = endOfPlainText(from: start)
    guard position < text.count else { throw failure(.malformedJSON) }
    switch text[position] {
    case UInt8(ascii: "\""):
      let string = try validated(text.extracting(start..<position), at: start)
      position += 1
      return string
    case UInt8(ascii: "\\"):
      return try escapedString(from: start)
    default:
      throw failure(.malformedJSON)
    }
  }

  /// The offset of the first quote, backslash or control character from `start` on.
  private func endOfPlainText(from start: Int) -> Int {
    var end = text.firstSpecial(from: start)
    // Only writers escape this one.
    while end < text.count, text[end] == 0x7f { end = text.firstSpecial(from: end + 1) }
    return end
  }

  /// Where the bytes of the string that is next are, without reading it; nil if it has escapes, or if
  /// something else is next. The bytes are not validated.
  mutating func plainString() -> Range<Int>? {
    guard peek() == UInt8(ascii: "\"") else { return nil }
    let end = endOfPlainText(from: position + 1)
    return end < text.count && text[end] == UInt8(ascii: "\"") ? position + 1..<end : nil
  }

  /// Reads a string as whatever `parse` makes of its bytes; nil if `parse` does not know them.
  mutating func string<Parsed>(as parse: (Span<UInt8>) -> Parsed?) throws -> Parsed? {
    if let range = plainString(), let parsed = parse(text.extracting(range)) {
      position = range.upperBound + 1
      return parsed
    }
    return parse(try string().utf8.span)
  }

  private func validated(_ bytes: Span<UInt8>, at offset: Int) throws -> String {
    do {
      return String(copying: try UTF8Span(validating: bytes))
    } catch {
      throw JSONDecodingError(
        code: .invalidUTF8, byteOffset: offset + error.byteOffsets.lowerBound)
    }
  }

  /// Reads a string whose first escape is at the current position.
  private mutating func escapedString(from start: Int) throws -> String {
    var bytes = [UInt8](copying: text.extracting(start..<position).bytes)
    while position < text.count {
      let byte = text[position]
      if byte == UInt8(ascii: "\"") {
        let string = try validated(bytes.span, at: start)
        position += 1
        return string
      }
      if byte == UInt8(ascii: "\\") {
        try escape(into: &bytes)
      } else if byte < 0x20 {
        break
      } else {
        bytes.append(byte)
        position += 1
      }
    }
    throw failure(.malformedJSON)
  }

  /// Reads an escape, from the backslash on.
  private mutating func escape(into bytes: inout [UInt8]) throws {
    guard text.count - position >= 2 else { throw failure(.malformedJSON) }
    let kind = text[position + 1]
    switch kind {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(kind)
    case UInt8(ascii: "b"): bytes.append(0x08)
    case UInt8(ascii: "f"): bytes.append(0x0c)
    case UInt8(ascii: "n"): bytes.append(0x0a)
    case UInt8(ascii: "r"): bytes.append(0x0d)
    case UInt8(ascii: "t"): bytes.append(0x09)
    case UInt8(ascii: "u"):
      let scalar = try escapedScalar()
      bytes.append(contentsOf: String(Character(scalar)).utf8)
      return
    default: throw failure(.malformedJSON)
    }
    position += 2
  }

  /// Reads `\uXXXX`, or two of them that are a surrogate pair.
  private mutating func escapedScalar() throws -> Unicode.Scalar {
    let first = try escapedCodeUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard UTF16.isLeadSurrogate(first), text.count - position >= 6,
      text[position] == UInt8(ascii: "\\"), text[position + 1] == UInt8(ascii: "u")
    else { throw failure(.invalidUTF8) }
    let second = try escapedCodeUnit()
    guard UTF16.isTrailSurrogate(second),
      let scalar = Unicode.Scalar(
        0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
    else { throw failure(.invalidUTF8) }
    return scalar
  }

  private mutating func escapedCodeUnit() throws -> UInt16 {
    guard text.count - position >= 6 else { throw failure(.malformedJSON) }
    var unit: UInt16 = 0
    for index in position + 2..<position + 6 {
      let byte = text[index]
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: throw failure(.malformedJSON)
      }
      unit = unit << 4 | UInt16(digit)
    }
    position += 6
    return unit
  }

  /// Reads bytes in base64.
  mutating func base64() throws -> [UInt8] {
    _ = peek()
    let start = position
    let string = try string()
    guard let bytes = Base64.decode(string.utf8Span.span) else {
      throw JSONDecodingError(code: .malformedBase64, byteOffset: start)
    }
    return bytes
  }
}
