/// Why a text is not a message in ProtoJSON, and where.
public struct JSONDecodingError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Code: Hashable, Sendable {
    /// The text is not JSON.
    case malformedJSON
    /// A string is not valid UTF-8 or has half of a surrogate pair.
    case invalidUTF8
    /// A field that the message does not have.
    case unknownField(String)
    /// A field that comes twice.
    case duplicateField(String)
    /// A second member of one oneof.
    case conflictingOneOf
    /// `null` where a value must be.
    case illegalNull
    /// A value of another kind than the field's.
    case typeMismatch(expected: String)
    /// A number outside of its type's range, or with a fraction where an integer must be.
    case numberRange
    /// A name that the enum does not have.
    case unknownEnumValue(String)
    /// A string that is not base64.
    case malformedBase64
    /// A string that is not a time as RFC 3339 writes it, between the years 1 and 9999.
    case malformedTimestamp
    /// A string that is not a number of seconds with the unit `s`.
    case malformedDuration
    /// A field mask that is not made of lowerCamelCase paths.
    case malformedFieldMask
    /// An `Any` without `@type`, or whose type is not registered.
    case unregisteredType(String)
    /// Objects or arrays nested deeper than ``JSONDecodingOptions/messageDepthLimit``.
    case messageDepthLimit
    /// A required field is not set.
    case missingRequiredFields
  }

  /// What is wrong.
  public var code: Code
  /// Where it is wrong, in bytes from the start of the text.
  public var byteOffset: Int
  /// The field at fault as a path from the message that was read, like `races[2].startTime`; empty
  /// for the message itself.
  public var path: String = ""

  /// Creates an error.
  public init(code: Code, byteOffset: Int) {
    self.code = code
    self.byteOffset = byteOffset
  }

  /// The same error as the message around sees it.
  func prefixed(by step: String) -> JSONDecodingError {
    var error = self
    let needsDot = !path.isEmpty && !path.hasPrefix("[")
    error.path = needsDot ? "\(step).\(path)" : step + path
    return error
  }
}

extension JSONDecodingError: CustomStringConvertible {
  /// One sentence saying what is wrong and where.
  public var description: String {
    "\(path.isEmpty ? "" : "\(path): ")\(problem) (at byte \(byteOffset))"
  }

  private var problem: String {
    switch code {
    case .malformedJSON: "not valid JSON"
    case .invalidUTF8: "a string is not valid Unicode"
    case .unknownField(let name): "there is no field \"\(name)\""
    case .duplicateField(let name): "the field \"\(name)\" comes twice"
    case .conflictingOneOf: "another member of the same oneof is set already"
    case .illegalNull: "null is no value here"
    case .typeMismatch(let expected): "expected \(expected)"
    case .numberRange: "the number is out of range or not an integer"
    case .unknownEnumValue(let name): "there is no enum value \"\(name)\""
    case .malformedBase64: "not valid base64"
    case .malformedTimestamp: "not a time as in \"2026-06-08T10:00:00Z\""
    case .malformedDuration: "not a duration as in \"1.5s\""
    case .malformedFieldMask: "not a list of field paths as in \"startTime,race.name\""
    case .unregisteredType(let url): "the message type \"\(url)\" is not registered"
    case .messageDepthLimit: "objects are nested too deeply"
    case .missingRequiredFields: "a required field is missing"
    }
  }
}
