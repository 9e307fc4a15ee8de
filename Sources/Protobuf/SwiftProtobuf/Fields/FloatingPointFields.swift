// The floating-point types.

// Requirements are documented by the protocol.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// The field type `float`.
public enum ProtobufFloat: PackableFieldCoding {
  @inlinable
  public static var wireType: WireType { .fixed32 }

  @inlinable
  public static var defaultValue: Float { 0 }

  /// Negative zero is a value of its own.
  @inlinable
  public static func isDefault(_ value: Float) -> Bool { value.bitPattern == 0 }

  @inlinable
  @inline(__always)
  public static func decode(
    from decoder: inout BinaryDecoder
  ) throws(BinaryDecodingError) -> Float {
    Float(bitPattern: try decoder.fixed(UInt32.self))
  }

  @inlinable
  @inline(__always)
  public static func encodedSize(of value: Float, tagSize: Int) -> Int { tagSize &+ 4 }

  @inlinable
  @inline(__always)
  public static func encodeValue(_ value: Float, to encoder: inout BinaryEncoder) {
    encoder.fixed(value.bitPattern)
  }

  public static func write(_ value: Float, to writer: inout ProtoJSONWriter) {
    writer.write(floatingPoint: value)
  }

  public static func read(from reader: inout ProtoJSONReader) throws -> Float? {
    try reader.floatingPoint(Float.self)
  }

  public static func write(_ value: Float, to writer: inout TextFormatWriter) {
    writer.write(floatingPoint: value)
  }

  public static func read(from reader: inout TextFormatReader) throws -> Float {
    try reader.floatingPoint(Float.self)
  }
}

// Requirements are documented by the protocol.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// The field type `double`.
public enum ProtobufDouble: PackableFieldCoding {
  @inlinable
  public static var wireType: WireType { .fixed64 }

  @inlinable
  public static var defaultValue: Double { 0 }

  /// Negative zero is a value of its own.
  @inlinable
  public static func isDefault(_ value: Double) -> Bool { value.bitPattern == 0 }

  @inlinable
  @inline(__always)
  public static func decode(
    from decoder: inout BinaryDecoder
  ) throws(BinaryDecodingError) -> Double {
    Double(bitPattern: try decoder.fixed(UInt64.self))
  }

  @inlinable
  @inline(__always)
  public static func encodedSize(of value: Double, tagSize: Int) -> Int { tagSize &+ 8 }

  @inlinable
  @inline(__always)
  public static func encodeValue(_ value: Double, to encoder: inout BinaryEncoder) {
    encoder.fixed(value.bitPattern)
  }

  public static func write(_ value: Double, to writer: inout ProtoJSONWriter) {
    writer.write(floatingPoint: value)
  }

  public static func read(from reader: inout ProtoJSONReader) throws -> Double? {
    try reader.floatingPoint(Double.self)
  }

  public static func write(_ value: Double, to writer: inout TextFormatWriter) {
    writer.write(floatingPoint: value)
  }

  public static func read(from reader: inout TextFormatReader) throws -> Double {
    try reader.floatingPoint(Double.self)
  }
}
