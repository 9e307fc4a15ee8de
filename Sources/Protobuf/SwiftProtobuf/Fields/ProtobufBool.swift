// Requirements are documented by the protocol.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// The field type `bool`.
public enum ProtobufBool: PackableFieldCoding, MapKeyCoding {
  @inlinable
  public static var wireType: WireType { .varint }

  @inlinable
  public static var defaultValue: Bool { false }

  @inlinable
  public static func isDefault(_ value: Bool) -> Bool { !value }

  @inlinable
  public static func isOrdered(_ key: Bool, before other: Bool) -> Bool { !key && other }

  @inlinable
  @inline(__always)
  public static func decode(from decoder: inout BinaryDecoder) throws(BinaryDecodingError) -> Bool {
    try decoder.varint() != 0
  }

  @inlinable
  @inline(__always)
  public static func encodedSize(of value: Bool, tagSize: Int) -> Int { tagSize &+ 1 }

  @inlinable
  @inline(__always)
  public static func encodeValue(_ value: Bool, to encoder: inout BinaryEncoder) {
    encoder.varint(value ? 1 : 0)
  }

  public static func write(_ value: Bool, to writer: inout ProtoJSONWriter) {
    writer.write(raw: value ? "true" : "false")
  }

  public static func read(from reader: inout ProtoJSONReader) throws -> Bool? {
    try reader.bool()
  }

  public static func write(_ value: Bool, to writer: inout TextFormatWriter) {
    writer.write(raw: value ? "true" : "false")
  }

  public static func read(from reader: inout TextFormatReader) throws -> Bool {
    try reader.bool()
  }

  public static func writeKey(_ key: Bool, to writer: inout ProtoJSONWriter) {
    writer.write(raw: key ? "\"true\"" : "\"false\"")
  }

  public static func readKey(from reader: inout ProtoJSONReader) throws -> Bool {
    try reader.boolKey()
  }
}
