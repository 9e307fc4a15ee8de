/// Reads the text format from a span of UTF-8.
///
/// Specification: <https://protobuf.dev/reference/protobuf/textformat-spec/>.
public struct TextFormatReader: ~Copyable, ~Escapable {
  let text: Span<UInt8>
  /// The offset of the next byte.
  var position = 0
  /// How many levels of nesting are left.
  var depth: Int
  let options: TextFormatDecodingOptions
  /// The extensions that the text may name.
  let extensions: (any ExtensionMap)?
  /// Whether the message at hand has had the field at hand before.
  var isRepetition = false
  /// Where the name of the field at hand began.
  var nameStart = 0

  @_lifetime(copy text)
  init(
    _ text: Span<UInt8>, extensions: (any ExtensionMap)?, options: TextFormatDecodingOptions
  ) {
    self.text = text
    self.extensions = extensions
    self.options = options
    self.depth = options.messageDepthLimit
  }

  func failure(_ code: TextFormatDecodingError.Code) -> TextFormatDecodingError {
    TextFormatDecodingError(code: code, byteOffset: position)
  }

  func failure(
    _ code: TextFormatDecodingError.Code, at offset: Int
  ) -> TextFormatDecodingError {
    TextFormatDecodingError(code: code, byteOffset: offset)
  }

  /// The byte at the current position; 0 at the end.
  var current: UInt8 { position < text.count ? text[position] : 0 }

  /// The next byte that is neither white space nor in a comment, without reading it; 0 at the end.
  mutating func peek() -> UInt8 {
    while position < text.count {
      switch text[position] {
      case 0x20, 0x09...0x0d:
        position += 1
      case UInt8(ascii: "#"):
        while position < text.count, text[position] != UInt8(ascii: "\n") { position += 1 }
      case let byte:
        return byte
      }
    }
    return 0
  }

  var isAtEnd: Bool { position >= text.count }

  /// Reads the next byte that is neither white space nor in a comment if it is `byte`.
  mutating func skip(_ byte: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: byte), !isAtEnd else { return false }
    position += 1
    return true
  }

  mutating func expect(_ byte: Unicode.Scalar) throws {
    if !skip(byte) { throw failure(.malformedText) }
  }

  mutating func enter() throws {
    guard depth > 0 else { throw failure(.messageDepthLimit) }
    depth -= 1
  }

  mutating func leave() {
    depth += 1
  }

  /// Reads an identifier.
  mutating func identifier() throws -> String {
    _ = peek()
    guard let range = identifierRange() else { throw failure(.malformedText) }
    position = range.upperBound
    return string(range)
  }

  /// Where the identifier at the current position is; nil if none is there.
  func identifierRange() -> Range<Int>? {
    guard current.isIdentifierHead else { return nil }
    var end = position
    while end < text.count, text[end].isIdentifierHead || text[end].isDigit { end += 1 }
    return position..<end
  }

  /// The text in a range that is known to hold ASCII.
  func string(_ range: Range<Int>) -> String {
    String(decoding: [UInt8](copying: text.extracting(range).bytes), as: UTF8.self)
  }

  /// Opens a message, and gives the bracket that closes it.
  mutating func open() throws -> Unicode.Scalar {
    if skip("{") { return "}" }
    if skip("<") { return ">" }
    throw failure(.typeMismatch(expected: "a message"))
  }
}

extension UInt8 {
  var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

  var isIdentifierHead: Bool {
    (self | 0x20) &- UInt8(ascii: "a") < 26 || self == UInt8(ascii: "_")
  }

  /// The value of a digit in hexadecimal; nil if it is none.
  var hexadecimalValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
