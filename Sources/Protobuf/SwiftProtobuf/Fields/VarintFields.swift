// The integers that are written as varints.

// Requirements are documented by the protocol.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// The field type `int32`.
public enum ProtobufInt32: PackableFieldCoding, MapKeyCoding {
  @inlinable
  public static var wireType: WireType { .varint }

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
    Int32(truncatingIfNeeded: try decoder.varint())
  }

  @inlinable
  @inline(__always)
  public static func encodedSize(of value: Int32, tagSize: Int) -> Int {
    tagSize &+ Varint.size(UInt64(bitPattern: Int64(value)))
  }

  @inlinable
  @inline(__always)
  public static func encodeValue(_ value: Int32, to encoder: inout BinaryEncoder) {
    encoder.varint(UInt64(bitPattern: Int64(value)))
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
/// The field type `int64`.
public enum ProtobufInt64: PackableFieldCoding, MapKeyCoding {
  @inlinable
  public static var wireType: WireType { .varint }

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
    Int64(bitPattern: try decoder.varint())
  }

  @inlinable
  @inline(__always)
  public static func encodedSize(of value: Int64, tagSize: Int) -> Int {
    tagSize &+ Varint.size(UInt64(bitPattern: value))
  }

  @inlinable
  @inline(__always)
  public static func encodeValue(_ value: Int64, to encoder: inout BinaryEncoder) {
    encoder.varint(UInt64(bitPattern: value))
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

// Requirements are documented by the protocol.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// The field type `uint32`.
public enum ProtobufUInt32: PackableFieldCoding, MapKeyCoding {
  @inlinable
  public static var wireType: WireType { .varint }

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
    UInt32(truncatingIfNeeded: try decoder.varint())
  }

  @inlinable
  @inline(__always)
  public static func encodedSize(of value: UInt32, tagSize: Int) -> Int {
    tagSize &+ Varint.size(UInt64(value))
  }

  @inlinable
  @inline(__always)
  public static func encodeValue(_ value: UInt32, to encoder: inout BinaryEncoder) {
    encoder.varint(UInt64(value))
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
/// The field type `uint64`.
public enum ProtobufUInt64: PackableFieldCoding, MapKeyCoding {
  @inlinable
  public static var wireType: WireType { .varint }

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
    try decoder.varint()
  }

  @inlinable
  @inline(__always)
  public static func encodedSize(of value: UInt64, tagSize: Int) -> Int {
    tagSize &+ Varint.size(value)
  }

  @inlinable
  @inline(__always)
  public static func encodeValue(_ value: UInt64, to encoder: inout BinaryEncoder) {
    encoder.varint(value)
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
/// The field type `sint32`.
public enum ProtobufSInt32: PackableFieldCoding, MapKeyCoding {
  @inlinable
  public static var wireType: WireType { .varint }

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
    Int32(
      truncatingIfNeeded: Varint.unZigZag(UInt64(UInt32(truncatingIfNeeded: try decoder.varint()))))
  }

  @inlinable
  @inline(__always)
  public static func encodedSize(of value: Int32, tagSize: Int) -> Int {
    tagSize &+ Varint.size(Varint.zigZag(Int64(value)))
  }

  @inlinable
  @inline(__always)
  public static func encodeValue(_ value: Int32, to encoder: inout BinaryEncoder) {
    encoder.varint(Varint.zigZag(Int64(value)))
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
/// The field type `sint64`.
public enum ProtobufSInt64: PackableFieldCoding, MapKeyCoding {
  @inlinable
  public static var wireType: WireType { .varint }

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
    Varint.unZigZag(try decoder.varint())
  }

  @inlinable
  @inline(__always)
  public static func encodedSize(of value: Int64, tagSize: Int) -> Int {
    tagSize &+ Varint.size(Varint.zigZag(value))
  }

  @inlinable
  @inline(__always)
  public static func encodeValue(_ value: Int64, to encoder: inout BinaryEncoder) {
    encoder.varint(Varint.zigZag(value))
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
