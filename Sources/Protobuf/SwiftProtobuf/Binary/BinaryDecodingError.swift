/// Why bytes are not a message in the binary format, and where.
public struct BinaryDecodingError: Error, Hashable, Sendable {
  /// What is wrong.
  @frozen
  public enum Code: UInt8, Hashable, Sendable {
    /// The bytes end inside a field, or a length reaches beyond its message.
    case truncated
    /// A varint goes on for more than ten bytes.
    case malformedVarint
    /// A tag with field number 0, a number above 2^29 - 1 or an unassigned wire type.
    case invalidTag
    /// A length of 2 GiB or more.
    case invalidLength
    /// A string that is not UTF-8.
    case invalidUTF8
    /// An end-group tag without its start.
    case unmatchedEndGroup
    /// Messages nested deeper than ``BinaryDecodingOptions/messageDepthLimit``.
    case messageDepthLimit
    /// A required field is not set.
    case missingRequiredFields
  }

  /// What is wrong.
  public var code: Code
  /// Where it is wrong, in bytes from the start of the input.
  public var byteOffset: Int

  /// Creates an error.
  public init(code: Code, byteOffset: Int) {
    self.code = code
    self.byteOffset = byteOffset
  }
}

extension BinaryDecodingError: CustomStringConvertible {
  /// One sentence saying what is wrong and where.
  public var description: String {
    let what =
      switch code {
      case .truncated: "the message is truncated"
      case .malformedVarint: "a varint is longer than ten bytes"
      case .invalidTag: "a field's tag is invalid"
      case .invalidLength: "a field is 2 GiB or longer"
      case .invalidUTF8: "a string is not valid UTF-8"
      case .unmatchedEndGroup: "a group ends that did not begin"
      case .messageDepthLimit: "messages are nested too deeply"
      case .missingRequiredFields: "a required field is missing"
      }
    return "\(what) (at byte \(byteOffset))"
  }
}
