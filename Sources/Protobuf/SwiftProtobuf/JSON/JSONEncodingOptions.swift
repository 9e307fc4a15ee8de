/// How messages are written in ProtoJSON.
public struct JSONEncodingOptions: Hashable, Sendable {
  /// Whether 64-bit integers are written as numbers instead of strings. Many JSON readers then lose
  /// what a double can't hold.
  public var alwaysPrintInt64sAsNumbers = false
  /// Whether enum values are written as their numbers instead of their names.
  public var alwaysPrintEnumsAsInts = false
  /// Whether fields keep the names of the .proto file instead of lowerCamelCase ones.
  public var preserveProtoFieldNames = false
  /// Whether fields without presence (implicit ones, repeated ones and maps) are written even if
  /// they have their default value or are empty.
  public var alwaysPrintFieldsWithNoPresence = false
  /// Whether map entries are written in the order of their keys, so that equal messages give equal
  /// text.
  public var useDeterministicOrdering = false

  /// The defaults.
  public init() {}
}

/// Why a message can't be written in ProtoJSON.
public enum JSONEncodingError: Error, Hashable, Sendable {
  /// A `google.protobuf.Any` holds a type that is not registered: see
  /// ``Google_Protobuf_Any/register(messageType:)``.
  case unregisteredType(url: String)
  /// A `google.protobuf.Any` holds bytes that are not its type's, or is nested too deeply.
  case invalidAny(url: String)
  /// A timestamp outside of the years 1 to 9999, or with nanoseconds outside of 0 to 999,999,999.
  case invalidTimestamp
  /// A duration beyond 10,000 years, or whose seconds and nanoseconds differ in sign.
  case invalidDuration
  /// A field mask with a path that lowerCamelCase can't hold.
  case invalidFieldMask(path: String)
  /// A `google.protobuf.Value` that is not set, infinite or not a number.
  case invalidValue
}
