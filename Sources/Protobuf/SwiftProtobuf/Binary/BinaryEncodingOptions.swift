/// How binary messages are written.
public struct BinaryEncodingOptions: Hashable, Sendable {
  /// Whether map entries are written in the order of their keys, so that equal messages of one
  /// build give equal bytes.
  public var useDeterministicOrdering: Bool = false

  /// The defaults.
  public init() {}
}

/// Why a message can't be written in the binary format.
public enum BinaryEncodingError: Error, Hashable, Sendable {
  /// A required field is not set.
  case missingRequiredFields
  /// The message would be 2 GiB or larger, which no reader accepts.
  case messageTooLarge
}
