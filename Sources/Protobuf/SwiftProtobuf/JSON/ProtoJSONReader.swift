/// Reads ProtoJSON from a span of UTF-8.
public struct ProtoJSONReader: ~Copyable, ~Escapable {
  @usableFromInline
  let text: Span<UInt8>
  /// The offset of the next byte.
  @usableFromInline
  var position = 0
  /// How many levels of nesting are left.
  @usableFromInline
  var depth: Int
  @usableFromInline
  let ignoresUnknownFields: Bool
  /// The extensions that are no unknown fields.
  let extensions: (any ExtensionMap)?

  @_lifetime(copy text)
  init(_ text: Span<UInt8>, extensions: (any ExtensionMap)?, options: JSONDecodingOptions) {
    self.text = text
    self.extensions = extensions
    self.depth = options.messageDepthLimit
    self.ignoresUnknownFields = options.ignoreUnknownFields
  }

  @usableFromInline
  func failure(_ code: JSONDecodingError.Code) -> JSONDecodingError {
    JSONDecodingError(code: code, byteOffset: position)
  }

  /// The next byte that is not white space, without reading it; 0 at the end.
  @usableFromInline
  mutating func peek() -> UInt8 {
    while position < text.count {
      let byte = text[position]
      guard byte <= 0x20, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else {
        return byte
      }
      position += 1
    }
    return 0
  }

  /// Reads the next byte that is not white space if it is `byte`.
  @usableFromInline
  mutating func skip(_ byte: UInt8) -> Bool {
    guard peek() == byte, position < text.count else { return false }
    position += 1
    return true
  }

  @usableFromInline
  mutating func expect(_ byte: UInt8) throws {
    if !skip(byte) { throw failure(.malformedJSON) }
  }

  mutating func expectEnd() throws {
    _ = peek()
    if position < text.count { throw failure(.malformedJSON) }
  }

  /// Reads `word` if it is next.
  @usableFromInline
  mutating func skip(word: StaticString) -> Bool {
    _ = peek()
    return skip(exactly: word)
  }

  /// Reads `word` if it is next, without white space before it.
  mutating func skip(exactly word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard text.count - position >= count else { return false }
    let expected = word.description.utf8.span
    for index in 0..<count where text[position + index] != expected[index] { return false }
    position += count
    return true
  }

  /// Reads `bytes` if they are next, without white space before them and not none at all.
  mutating func skip(exactly bytes: [UInt8]) -> Bool {
    let count = bytes.count
    guard count > 0, text.count &- position >= count else { return false }
    let expected = bytes.span
    for index in 0..<count where text[position &+ index] != expected[index] { return false }
    position &+= count
    return true
  }

  @usableFromInline
  mutating func enter() throws {
    guard depth > 0 else { throw failure(.messageDepthLimit) }
    depth -= 1
  }

  @usableFromInline
  mutating func leave() {
    depth += 1
  }

  /// Reads whatever value is next and drops it.
  mutating func skipValue() throws {
    switch peek() {
    case UInt8(ascii: "{"):
      try enter()
      position += 1
      if !skip(UInt8(ascii: "}")) {
        repeat {
          _ = try string()
          try expect(UInt8(ascii: ":"))
          try skipValue()
        } while skip(UInt8(ascii: ","))
        try expect(UInt8(ascii: "}"))
      }
      leave()
    case UInt8(ascii: "["):
      try enter()
      position += 1
      if !skip(UInt8(ascii: "]")) {
        repeat {
          try skipValue()
        } while skip(UInt8(ascii: ","))
        try expect(UInt8(ascii: "]"))
      }
      leave()
    case UInt8(ascii: "\""):
      _ = try string()
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
      guard skip(word: "true") || skip(word: "false") || skip(word: "null") else {
        throw failure(.malformedJSON)
      }
    default:
      _ = try number()
    }
  }
}
