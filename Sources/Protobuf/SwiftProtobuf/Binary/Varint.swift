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

  /// Spreads the low 56 bits of `value` over eight bytes, seven in each, lowest first.
  @inlinable
  @inline(__always)
  static func spread(_ value: UInt64) -> UInt64 {
    var word = value
    word = (word & 0x00ff_ffff_f000_0000) &<< 4 | (word & 0x0000_0000_0fff_ffff)
    word = (word & 0x0fff_c000_0fff_c000) &<< 2 | (word & 0x0000_3fff_0000_3fff)
    return (word & 0x3f80_3f80_3f80_3f80) &<< 1 | (word & 0x007f_007f_007f_007f)
  }

  /// The inverse of ``spread(_:)``: gathers seven bits of each of eight bytes.
  @inlinable
  @inline(__always)
  static func gather(_ bytes: UInt64) -> UInt64 {
    var word = bytes & 0x7f7f_7f7f_7f7f_7f7f
    word = (word & 0x7f00_7f00_7f00_7f00) &>> 1 | (word & 0x007f_007f_007f_007f)
    word = (word & 0x3fff_0000_3fff_0000) &>> 2 | (word & 0x0000_3fff_0000_3fff)
    return (word & 0x0fff_ffff_0000_0000) &>> 4 | (word & 0x0000_0000_0fff_ffff)
  }
}
