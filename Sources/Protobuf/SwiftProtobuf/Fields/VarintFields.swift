/// A field type whose values are integers, written as varints.
public protocol VarintFieldCoding: IntegerFieldCoding {
  /// The value that a varint on the wire stands for.
  static func value(_ varint: UInt64) -> Value

  /// The varint that stands for a value on the wire.
  static func varint(_ value: Value) -> UInt64
}

// Requirements are documented by the protocols.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension VarintFieldCoding {
  @inlinable
  public static var wireType: WireType { .varint }

  @inlinable
  @inline(__always)
  public static func decode(
    from decoder: inout BinaryDecoder
  ) throws(BinaryDecodingError) -> Value {
    value(try decoder.varint())
  }

  @inlinable
  @inline(__always)
  public static func encodedSize(of value: Value, tagSize: Int) -> Int {
    tagSize &+ Varint.size(varint(value))
  }

  @inlinable
  @inline(__always)
  public static func encodeValue(_ value: Value, to encoder: inout BinaryEncoder) {
    encoder.varint(varint(value))
  }
}

/// The field type `int32`.
///
/// Negative values take ten bytes: they are sign-extended, so that they read the same as `int64`.
public enum ProtobufInt32: VarintFieldCoding {
  /// The Swift type of a value.
  public typealias Value = Int32

  /// The value that a varint on the wire stands for.
  @inlinable
  @inline(__always)
  public static func value(_ varint: UInt64) -> Int32 { Int32(truncatingIfNeeded: varint) }

  /// The varint that stands for a value on the wire.
  @inlinable
  @inline(__always)
  public static func varint(_ value: Int32) -> UInt64 { UInt64(bitPattern: Int64(value)) }
}

/// The field type `int64`.
public enum ProtobufInt64: VarintFieldCoding {
  /// The Swift type of a value.
  public typealias Value = Int64

  /// The value that a varint on the wire stands for.
  @inlinable
  @inline(__always)
  public static func value(_ varint: UInt64) -> Int64 { Int64(bitPattern: varint) }

  /// The varint that stands for a value on the wire.
  @inlinable
  @inline(__always)
  public static func varint(_ value: Int64) -> UInt64 { UInt64(bitPattern: value) }
}

/// The field type `uint32`.
public enum ProtobufUInt32: VarintFieldCoding {
  /// The Swift type of a value.
  public typealias Value = UInt32

  /// The value that a varint on the wire stands for.
  @inlinable
  @inline(__always)
  public static func value(_ varint: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: varint) }

  /// The varint that stands for a value on the wire.
  @inlinable
  @inline(__always)
  public static func varint(_ value: UInt32) -> UInt64 { UInt64(value) }
}

/// The field type `uint64`.
public enum ProtobufUInt64: VarintFieldCoding {
  /// The Swift type of a value.
  public typealias Value = UInt64

  /// The value that a varint on the wire stands for.
  @inlinable
  @inline(__always)
  public static func value(_ varint: UInt64) -> UInt64 { varint }

  /// The varint that stands for a value on the wire.
  @inlinable
  @inline(__always)
  public static func varint(_ value: UInt64) -> UInt64 { value }
}

/// The field type `sint32`.
///
/// Written in ZigZag, so that small negative values stay short.
public enum ProtobufSInt32: VarintFieldCoding {
  /// The Swift type of a value.
  public typealias Value = Int32

  /// The value that a varint on the wire stands for.
  @inlinable
  @inline(__always)
  public static func value(_ varint: UInt64) -> Int32 {
    Int32(truncatingIfNeeded: Varint.unZigZag(varint & 0xffff_ffff))
  }

  /// The varint that stands for a value on the wire.
  @inlinable
  @inline(__always)
  public static func varint(_ value: Int32) -> UInt64 { Varint.zigZag(Int64(value)) }
}

/// The field type `sint64`.
///
/// Written in ZigZag, so that small negative values stay short.
public enum ProtobufSInt64: VarintFieldCoding {
  /// The Swift type of a value.
  public typealias Value = Int64

  /// The value that a varint on the wire stands for.
  @inlinable
  @inline(__always)
  public static func value(_ varint: UInt64) -> Int64 { Varint.unZigZag(varint) }

  /// The varint that stands for a value on the wire.
  @inlinable
  @inline(__always)
  public static func varint(_ value: Int64) -> UInt64 { Varint.zigZag(value) }
}
