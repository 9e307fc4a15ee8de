/// A field type whose values are integers.
public protocol IntegerFieldCoding: PackableFieldCoding, MapKeyCoding
where Value: FixedWidthInteger & BitwiseCopyable {}

// Requirements are documented by the protocols.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension IntegerFieldCoding {
  @inlinable
  public static var defaultValue: Value { 0 }

  @inlinable
  public static func isDefault(_ value: Value) -> Bool { value == 0 }

  @inlinable
  public static func isOrdered(_ key: Value, before other: Value) -> Bool { key < other }

  @inlinable
  public static func write(_ value: Value, to writer: inout ProtoJSONWriter) {
    if Value.bitWidth == 64 {
      writer.write64(value)
    } else {
      writer.write(integer: value)
    }
  }

  @inlinable
  public static func read(from reader: inout ProtoJSONReader) throws -> Value? {
    try reader.integer(Value.self)
  }

  public static func write(_ value: Value, to writer: inout TextFormatWriter) {
    writer.write(integer: value)
  }

  public static func read(from reader: inout TextFormatReader) throws -> Value {
    try reader.integer(Value.self)
  }

  @inlinable
  public static func writeKey(_ key: Value, to writer: inout ProtoJSONWriter) {
    writer.writeKey(integer: key)
  }

  @inlinable
  public static func readKey(from reader: inout ProtoJSONReader) throws -> Value {
    try reader.integerKey(Value.self)
  }
}
