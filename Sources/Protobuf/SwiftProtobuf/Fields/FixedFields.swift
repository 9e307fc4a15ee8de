// The integers that are written in four or eight bytes.

// Requirements are documented by the protocol.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// The field type `fixed32`.
public enum ProtobufFixed32: PackableFieldCoding, MapKeyCoding {
  @inlinable
  public static var wireType: WireType { .fixed32 }

  @inlinable
  public static var defaultValue: UInt32 { 0 }

  @inlinable
  public static func isDefault(_ value: UInt32) -> Bool { value == 0 }

  @inlinable
  public static func isOrdered(_ key: UInt32, before other: UInt32) -> Bool { key < other }

  @inlinable
  @inline(__always)
  public static func decode(
    from decoder: inout BinaryDecoder
  ) throws(BinaryDecodingError) -> UInt32 {
    try decoder.fixed(UInt32.self)
  }

  @inlinable
  @inline(__always)
  public static func encodedSize(of value: UInt32, tagSize: Int) -> Int { tagSize &+ 4 }

  @inlinable
  @inline(__always)
  public static func encodeValue(_ value: UInt32, to encoder: inout BinaryEncoder) {
    encoder.fixed(value)
  }

  public static func write(_ value: UInt32, to writer: inout ProtoJSONWriter) {
    writer.write(integer: value)
  }

  public static func read(from reader: inout ProtoJSONReader) throws -> UInt32? {
    try reader.integer(UInt32.self)
  }

  public static func writeKey(_ key: UInt32, to writer: inout ProtoJSONWriter) {
    writer.writeKey(integer: key)
  }

  public static func readKey(from reader: inout ProtoJSONReader) throws -> UInt32 {
    try reader.integerKey(UInt32.self)
  }
}

// Requirements are documented by the protocol.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// The field type `fixed64`.
public enum ProtobufFixed64: PackableFieldCoding, MapKeyCoding {
  @inlinable
  public static var wireType: WireType { .fixed64 }

  @inlinable
  public static var defaultValue: UInt64 { 0 }

  @inlinable
  public static func isDefault(_ value: UInt64) -> Bool { value == 0 }

  @inlinable
  public static func isOrdered(_ key: UInt64, before other: UInt64) -> Bool { key < other }

  @inlinable
  @inline(__always)
  public static func decode(
    from decoder: inout BinaryDecoder
  ) throws(BinaryDecodingError) -> UInt64 {
    try decoder.fixed(UInt64.self)
  }

  @inlinable
  @inline(__always)
  public static func encodedSize(of value: UInt64, tagSize: Int) -> Int { tagSize &+ 8 }

  @inlinable
  @inline(__always)
  public static func encodeValue(_ value: UInt64, to encoder: inout BinaryEncoder) {
    encoder.fixed(value)
  }

  public static func write(_ value: UInt64, to writer: inout ProtoJSONWriter) {
    writer.write64(value)
  }

  public static func read(from reader: inout ProtoJSONReader) throws -> UInt64? {
    try reader.integer(UInt64.self)
  }

  public static func writeKey(_ key: UInt64, to writer: inout ProtoJSONWriter) {
    writer.writeKey(integer: key)
  }

  public static func readKey(from reader: inout ProtoJSONReader) throws -> UInt64 {
    try reader.integerKey(UInt64.self)
  }
}

// Requirements are documented by the protocol.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// The field type `sfixed32`.
public enum ProtobufSFixed32: PackableFieldCoding, MapKeyCoding {
  @inlinable
  public static var wireType: WireType { .fixed32 }

  @inlinable
  public static var defaultValue: Int32 { 0 }

  @inlinable
  public static func isDefault(_ value: Int32) -> Bool { value == 0 }

  @inlinable
  public static func isOrdered(_ key: Int32, before other: Int32) -> Bool { key < other }

  @inlinable
  @inline(__always)
  public static func decode(
    from decoder: inout BinaryDecoder
  ) throws(BinaryDecodingError) -> Int32 {
    try decoder.fixed(Int32.self)
  }

  @inlinable
  @inline(__always)
  public static func encodedSize(of value: Int32, tagSize: Int) -> Int { tagSize &+ 4 }

  @inlinable
  @inline(__always)
  public static func encodeValue(_ value: Int32, to encoder: inout BinaryEncoder) {
    encoder.fixed(value)
  }

  public static func write(_ value: Int32, to writer: inout ProtoJSONWriter) {
    writer.write(integer: value)
  }

  public static func read(from reader: inout ProtoJSONReader) throws -> Int32? {
    try reader.integer(Int32.self)
  }

  public static func writeKey(_ key: Int32, to writer: inout ProtoJSONWriter) {
    writer.writeKey(integer: key)
  }

  public static func readKey(from reader: inout ProtoJSONReader) throws -> Int32 {
    try reader.integerKey(Int32.self)
  }
}

// Requirements are documented by the protocol.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// The field type `sfixed64`.
public enum ProtobufSFixed64: PackableFieldCoding, MapKeyCoding {
  @inlinable
  public static var wireType: WireType { .fixed64 }

  @inlinable
  public static var defaultValue: Int64 { 0 }

  @inlinable
  public static func isDefault(_ value: Int64) -> Bool { value == 0 }

  @inlinable
  public static func isOrdered(_ key: Int64, before other: Int64) -> Bool { key < other }

  @inlinable
  @inline(__always)
  public static func decode(
    from decoder: inout BinaryDecoder
  ) throws(BinaryDecodingError) -> Int64 {
    try decoder.fixed(Int64.self)
  }

  @inlinable
  @inline(__always)
  public static func encodedSize(of value: Int64, tagSize: Int) -> Int { tagSize &+ 8 }

  @inlinable
  @inline(__always)
  public static func encodeValue(_ value: Int64, to encoder: inout BinaryEncoder) {
    encoder.fixed(value)
  }

  public static func write(_ value: Int64, to writer: inout ProtoJSONWriter) {
    writer.write64(value)
  }

  public static func read(from reader: inout ProtoJSONReader) throws -> Int64? {
    try reader.integer(Int64.self)
  }

  public static func writeKey(_ key: Int64, to writer: inout ProtoJSONWriter) {
    writer.writeKey(integer: key)
  }

  public static func readKey(from reader: inout ProtoJSONReader) throws -> Int64 {
    try reader.integerKey(Int64.self)
  }
}
