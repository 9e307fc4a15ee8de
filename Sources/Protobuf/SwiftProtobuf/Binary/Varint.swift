/// The size of base-128 varints.
@frozen
public enum Varint {
  /// The number of bytes that `value` takes as a varint: 1 to 10.
  @inlinable
  @inline(__always)
  public static func size(_ value: UInt64) -> Int {
    // ceil(bits / 7) for 1 to 64 significant bits, without a division.
    let bits = 64 &- (value | 1).leadingZeroBitCount
    return (bits &* 9 &+ 64) &>> 6
  }

  /// Maps signed values to unsigned ones so that small magnitudes stay short (ZigZag).
  @inlinable
  @inline(__always)
  public static func zigZag(_ value: Int64) -> UInt64 {
    UInt64(bitPattern: (value &<< 1) ^ (value &>> 63))
  }

  /// The inverse of ``zigZag(_:)``.
  @inlinable
  @inline(__always)
  public static func unZigZag(_ value: UInt64) -> Int64 {
    Int64(bitPattern: value &>> 1) ^ -Int64(bitPattern: value & 1)
  }
}
