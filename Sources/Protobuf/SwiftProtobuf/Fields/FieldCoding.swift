/// How the values of one field type are read and written in every format.
///
/// The conforming types have no values; generated code names them as generic arguments:
/// `ProtobufInt32`, `ProtobufMessage<Race>`, …
public protocol FieldCoding {
  /// The Swift type of a value.
  associatedtype Value: Hashable & Sendable

  /// How a value lies on the wire.
  static var wireType: WireType { get }

  /// The value that is read when a field with no default of its own is not set.
  static var defaultValue: Value { get }

  /// Whether a field with implicit presence and this value counts as unset.
  static func isDefault(_ value: Value) -> Bool

  /// Reads a value in the binary format.
  static func decode(from decoder: inout BinaryDecoder) throws(BinaryDecodingError) -> Value

  /// Reads a value in the binary format and merges it with one read before.
  static func merge(
    into value: inout Value, from decoder: inout BinaryDecoder
  ) throws(BinaryDecodingError)

  /// Reads a value of an extension in the binary format and merges it with one read before.
  ///
  /// - Returns: false if the type is a closed enum that lacks the value.
  static func update(
    _ value: inout Value?, from decoder: inout BinaryDecoder
  ) throws(BinaryDecodingError) -> Bool

  /// Whether every required field inside is set.
  static func isInitialized(_ value: Value) -> Bool

  /// The size of a value with its tag in the binary format, in bytes.
  static func encodedSize(of value: Value, tagSize: Int) -> Int

  /// Writes a value and its tag in the binary format.
  static func encode(_ value: Value, tag: UInt32, to encoder: inout BinaryEncoder)

  /// Whether `null` is a value in ProtoJSON, and not an unset field.
  static var acceptsJSONNull: Bool { get }

  /// Writes a value in ProtoJSON.
  static func write(_ value: Value, to writer: inout ProtoJSONWriter) throws

  /// Reads a value in ProtoJSON; nil if it is to be ignored.
  static func read(from reader: inout ProtoJSONReader) throws -> Value?

  /// Whether values are messages, which stand in braces in the text format.
  static var isMessage: Bool { get }

  /// Writes a value in the text format.
  static func write(_ value: Value, to writer: inout TextFormatWriter) throws

  /// Reads a value in the text format.
  static func read(from reader: inout TextFormatReader) throws -> Value
}

// Requirements are documented by the protocol.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension FieldCoding {
  @inlinable
  @inline(__always)
  public static func merge(
    into value: inout Value, from decoder: inout BinaryDecoder
  ) throws(BinaryDecodingError) {
    value = try decode(from: &decoder)
  }

  public static func update(
    _ value: inout Value?, from decoder: inout BinaryDecoder
  ) throws(BinaryDecodingError) -> Bool {
    var merged = value ?? defaultValue
    // A message must have no second owner while it is changed.
    value = nil
    try merge(into: &merged, from: &decoder)
    value = merged
    return true
  }

  @inlinable
  public static func isInitialized(_ value: Value) -> Bool { true }

  @inlinable
  public static var acceptsJSONNull: Bool { false }

  @inlinable
  public static var isMessage: Bool { false }
}

/// A field type whose repeated values may share one tag and length.
public protocol PackableFieldCoding: FieldCoding {
  /// Writes a value without a tag in the binary format.
  static func encodeValue(_ value: Value, to encoder: inout BinaryEncoder)
}

// Requirements are documented by the protocol.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension PackableFieldCoding {
  @inlinable
  @inline(__always)
  public static func encode(_ value: Value, tag: UInt32, to encoder: inout BinaryEncoder) {
    encodeValue(value, to: &encoder)
    encoder.varint(UInt64(tag))
  }
}

/// A field type that the keys of a map may have.
public protocol MapKeyCoding: FieldCoding {
  /// Whether one key comes before another in deterministic output.
  static func isOrdered(_ key: Value, before other: Value) -> Bool

  /// Writes a key in ProtoJSON, where keys are strings.
  static func writeKey(_ key: Value, to writer: inout ProtoJSONWriter)

  /// Reads a key in ProtoJSON.
  static func readKey(from reader: inout ProtoJSONReader) throws -> Value
}
