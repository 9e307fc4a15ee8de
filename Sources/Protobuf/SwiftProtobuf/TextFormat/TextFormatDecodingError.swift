/// Why a text is not a message in the text format, and where.
public struct TextFormatDecodingError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Code: Hashable, Sendable {
    /// The text does not follow the format's grammar.
    case malformedText
    /// A number that is none, or that has no space behind it.
    case malformedNumber
    /// A string that is not closed on its line, or with an escape that does not exist.
    case malformedString
    /// A string that is not valid UTF-8, or with an escape that names no character.
    case invalidUTF8
    /// A field that the message does not have.
    case unknownField(String)
    /// An extension that is not known or not the message's.
    case unknownExtension(String)
    /// A second value of a field that holds one.
    case duplicateField
    /// A second member of one oneof.
    case conflictingOneOf
    /// A value of another kind than the field's.
    case typeMismatch(expected: String)
    /// An integer outside of its type's range.
    case numberRange
    /// A name or number that the enum does not have.
    case unknownEnumValue(String)
    /// An `Any` whose type is not registered.
    case unregisteredType(String)
    /// Messages nested deeper than ``TextFormatDecodingOptions/messageDepthLimit``.
    case messageDepthLimit
    /// A required field is not set.
    case missingRequiredFields
  }

  /// What is wrong.
  public var code: Code
  /// Where it is wrong, in bytes from the start of the text.
  public var byteOffset: Int
  /// The field at fault as a path from the message that was read, like `races.name`; empty for the
  /// message itself.
  public var path: String = ""

  /// Creates an error.
  public init(code: Code, byteOffset: Int) {
    self.code = code
    self.byteOffset = byteOffset
  }

  /// The same error as the message around sees it.
  func prefixed(by step: String) -> TextFormatDecodingError {
    var error = self
    error.path = path.isEmpty ? step : "\(step).\(path)"
    return error
  }
}

extension TextFormatDecodingError: CustomStringConvertible {
  /// One sentence saying what is wrong and where.
  public var description: String {
    "\(path.isEmpty ? "" : "\(path): ")\(problem) (at byte \(byteOffset))"
  }

  private var problem: String {
    switch code {
    case .malformedText: "not valid text format"
    case .malformedNumber: "not a number"
    case .malformedString: "not a string with valid escapes on one line"
    case .invalidUTF8: "a string is not valid Unicode"
    case .unknownField(let name): "there is no field \"\(name)\""
    case .unknownExtension(let name): "there is no extension \"\(name)\" here"
    case .duplicateField: "the field comes twice"
    case .conflictingOneOf: "another member of the same oneof is set already"
    case .typeMismatch(let expected): "expected \(expected)"
    case .numberRange: "the number is out of range"
    case .unknownEnumValue(let name): "there is no enum value \"\(name)\""
    case .unregisteredType(let url): "the message type \"\(url)\" is not registered"
    case .messageDepthLimit: "messages are nested too deeply"
    case .missingRequiredFields: "a required field is missing"
    }
  }
}
