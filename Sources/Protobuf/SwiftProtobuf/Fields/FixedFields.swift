/// A field type whose values are integers of four or eight bytes on the wire.
public protocol FixedFieldCoding: IntegerFieldCoding {}

// Requirements are documented by the protocols.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension FixedFieldCoding {
  @inlinable
  public static var wireType: WireType { Value.bitWidth == 64 ? .fixed64 : .fixed32 }

  @inlinable
  @inline(__always)
  public static func decode(
    from decoder: inout BinaryDecoder
  ) throws(BinaryDecodingError) -> Value {
    try decoder.fixed(Value.self)
  }

  @inlinable
  @inline(__always)
  public static func encodedSize(of value: Value, tagSize: Int) -> Int {
    tagSize &+ MemoryLayout<Value>.size
  }

  @inlinable
  @inline(__always)
  public static func encodeValue(_ value: Value, to encoder: inout BinaryEncoder) {
    encoder.fixed(value)
  }
}

/// The field type `fixed32`.
public enum ProtobufFixed32: FixedFieldCoding {
  /// The Swift type of a value.
  public typealias Value = UInt32
}

/// The field type `fixed64`.
public enum ProtobufFixed64: FixedFieldCoding {
  /// The Swift type of a value.
  public typealias Value = UInt64
}

/// The field type `sfixed32`.
public enum ProtobufSFixed32: FixedFieldCoding {
  /// The Swift type of a value.
  public typealias Value = Int32
}

/// The field type `sfixed64`.
public enum ProtobufSFixed64: FixedFieldCoding {
  /// The Swift type of a value.
  public typealias Value = Int64
}
