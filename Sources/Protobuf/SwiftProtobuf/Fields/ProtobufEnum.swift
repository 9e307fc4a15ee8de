// Requirements are documented by the protocol.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// A field whose type is an enum.
///
/// In the binary format this reads open enums only: a closed enum's unknown numbers belong to the
/// message's unknown fields, see ``BinaryDecoder/closedEnum(_:unknown:)``.
public enum ProtobufEnum<E: Enum>: PackableFieldCoding {
  @inlinable
  public static var wireType: WireType { .varint }

  @inlinable
  public static var defaultValue: E { E() }

  @inlinable
  public static func isDefault(_ value: E) -> Bool { value.rawValue == 0 }

  @inlinable
  @inline(__always)
  public static func decode(from decoder: inout BinaryDecoder) throws(BinaryDecodingError) -> E {
    E(rawValue: Int(Int32(truncatingIfNeeded: try decoder.varint()))) ?? E()
  }

  public static func update(
    _ value: inout E?, from decoder: inout BinaryDecoder
  ) throws(BinaryDecodingError) -> Bool {
    guard let read = E(rawValue: Int(Int32(truncatingIfNeeded: try decoder.varint()))) else {
      return false
    }
    value = read
    return true
  }

  @inlinable
  @inline(__always)
  public static func encodedSize(of value: E, tagSize: Int) -> Int {
    tagSize &+ Varint.size(number(value))
  }

  @inlinable
  @inline(__always)
  public static func encodeValue(_ value: E, to encoder: inout BinaryEncoder) {
    encoder.varint(number(value))
  }

  /// The number as the wire has it: sign-extended from 32 bits.
  @inlinable
  @inline(__always)
  static func number(_ value: E) -> UInt64 {
    UInt64(bitPattern: Int64(Int32(truncatingIfNeeded: value.rawValue)))
  }

  @inlinable
  public static var acceptsJSONNull: Bool { E.self == Google_Protobuf_NullValue.self }

  @inlinable
  public static func write(_ value: E, to writer: inout ProtoJSONWriter) {
    writer.write(enum: value)
  }

  @inlinable
  public static func read(from reader: inout ProtoJSONReader) throws -> E? {
    try reader.enumValue(E.self)
  }

  public static func write(_ value: E, to writer: inout TextFormatWriter) {
    writer.write(enum: value)
  }

  public static func read(from reader: inout TextFormatReader) throws -> E {
    try reader.enumValue(E.self)
  }
}
