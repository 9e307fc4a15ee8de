/// Writes the binary format into bytes of exactly the right size, from the end to the start.
///
/// A message is written in two passes: one sums up its size, one writes it. Writing backwards, the
/// length of a nested message is known when it is due, so neither pass keeps lengths, and the bytes
/// are allocated once.
@frozen
public struct BinaryEncoder: ~Copyable, ~Escapable {
  @usableFromInline
  var bytes: MutableRawSpan
  /// The offset of the byte that was written last.
  @usableFromInline
  var position: Int
  /// Whether map entries are written in the order of their keys.
  @usableFromInline
  let isDeterministic: Bool

  /// Creates an encoder at the end of `bytes`.
  @inlinable
  @_lifetime(copy bytes)
  init(_ bytes: consuming MutableRawSpan, options: BinaryEncodingOptions) {
    self.position = bytes.byteCount
    self.isDeterministic = options.useDeterministicOrdering
    self.bytes = bytes
  }

  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func varint(_ value: UInt64) {
    if value < 0x80 {
      position &-= 1
      bytes.storeBytes(of: UInt8(truncatingIfNeeded: value), toByteOffset: position, as: UInt8.self)
    } else {
      longVarint(value)
    }
  }

  @usableFromInline
  @_lifetime(self: copy self)
  mutating func longVarint(_ value: UInt64) {
    let size = Varint.size(value)
    if size <= 8, position >= 8 {
      // One store of eight bytes that end where the varint does. Those before it are overwritten
      // by the fields to come.
      let continuation = 0x8080_8080_8080_8080 & (1 &<< UInt64(8 &* (size &- 1)) &- 1) as UInt64
      let word = (Varint.spread(value) | continuation) &<< UInt64(8 &* (8 &- size))
      bytes.storeBytes(of: word.littleEndian, toByteOffset: position &- 8, as: UInt64.self)
      position &-= size
    } else {
      varintByBytes(value, size: size)
    }
  }

  @_lifetime(self: copy self)
  private mutating func varintByBytes(_ value: UInt64, size: Int) {
    position &-= size
    var offset = position
    var rest = value
    while rest >= 0x80 {
      bytes.storeBytes(
        of: UInt8(truncatingIfNeeded: rest) | 0x80, toByteOffset: offset, as: UInt8.self)
      rest &>>= 7
      offset &+= 1
    }
    bytes.storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: offset, as: UInt8.self)
  }

  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func fixed<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value) {
    position &-= MemoryLayout<Value>.size
    bytes.storeBytes(of: value.littleEndian, toByteOffset: position, as: Value.self)
  }

  @inlinable
  @_lifetime(self: copy self)
  mutating func raw(_ source: RawSpan) {
    position &-= source.byteCount
    bytes.copy(source, at: position)
  }
}
