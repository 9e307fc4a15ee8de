/// Reads the binary format from a span of bytes.
///
/// Generated code drives it: it asks for one tag after the other and reads the values of the tags
/// that it knows. Every read is checked against the end of the message at hand, which never lies
/// beyond the input; lengths are checked before anything is allocated.
///
/// The `unsafeLoad`s of `RawSpan` are bounds-checked; they are called unsafe for types that have
/// invalid bit patterns, and only integers are loaded here.
@frozen
public struct BinaryDecoder: ~Copyable, ~Escapable {
  @usableFromInline
  let bytes: RawSpan
  /// The offset of the next byte.
  @usableFromInline
  var position: Int = 0
  /// The end of the message at hand.
  @usableFromInline
  var end: Int
  /// The field number of the group at hand; 0 in a message with a length.
  @usableFromInline
  var group: UInt32 = 0
  /// The newest tag, and the offset where it began.
  @usableFromInline
  var tag: UInt32 = 0
  @usableFromInline
  var tagPosition: Int = 0
  /// How many levels of nesting are left.
  @usableFromInline
  var depth: Int
  @usableFromInline
  let keepsUnknownFields: Bool
  /// The extensions that are no unknown fields.
  @usableFromInline
  let extensions: (any ExtensionMap)?

  /// Creates a decoder at the first of `bytes`.
  @inlinable
  @_lifetime(copy bytes)
  public init(
    _ bytes: RawSpan, extensions: (any ExtensionMap)? = nil,
    options: BinaryDecodingOptions = BinaryDecodingOptions()
  ) {
    self.bytes = bytes
    self.extensions = extensions
    self.end = bytes.byteCount
    self.depth = options.messageDepthLimit
    self.keepsUnknownFields = !options.discardUnknownFields
  }

  @inlinable
  func failure(_ code: BinaryDecodingError.Code) -> BinaryDecodingError {
    BinaryDecodingError(code: code, byteOffset: position)
  }

  @inlinable
  @inline(__always)
  func byte(at offset: Int) -> UInt8 {
    bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }

  /// The next field's tag; nil at the end of the message or group.
  @inlinable
  @inline(__always)
  public mutating func nextTag() throws(BinaryDecodingError) -> UInt32? {
    tagPosition = position
    guard position < end else {
      if group != 0 { throw failure(.truncated) }
      return nil
    }
    let first = byte(at: position)
    if first < 0x80 {
      position &+= 1
      tag = UInt32(first)
    } else {
      tag = try longTag()
    }
    if tag & 7 == WireType.endGroup.rawValue {
      try endGroup()
      return nil
    }
    return tag
  }

  @usableFromInline
  mutating func longTag() throws(BinaryDecodingError) -> UInt32 {
    let start = position
    let value = try varint()
    guard value <= UInt64(UInt32.max), position - start <= 5 else {
      throw BinaryDecodingError(code: .invalidTag, byteOffset: start)
    }
    return UInt32(value)
  }

  @usableFromInline
  func endGroup() throws(BinaryDecodingError) {
    guard group != 0, tag >> 3 == group else {
      throw BinaryDecodingError(code: .unmatchedEndGroup, byteOffset: tagPosition)
    }
  }

  /// A varint of up to ten bytes; bits beyond the 64th are dropped, as every implementation does.
  @inlinable
  @inline(__always)
  mutating func varint() throws(BinaryDecodingError) -> UInt64 {
    guard position < end else { throw failure(.truncated) }
    let first = byte(at: position)
    if first < 0x80 {
      position &+= 1
      return UInt64(first)
    }
    return try longVarint()
  }

  @usableFromInline
  mutating func longVarint() throws(BinaryDecodingError) -> UInt64 {
    if end &- position >= 8 {
      let word = UInt64(
        littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
      // The top bit of the last byte is clear, and of those before it set.
      let last = ~word & 0x8080_8080_8080_8080
      if last != 0 {
        position &+= last.trailingZeroBitCount &>> 3 &+ 1
        return Varint.gather(word & (last ^ (last &- 1)))
      }
    }
    return try varintByBytes()
  }

  private mutating func varintByBytes() throws(BinaryDecodingError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    let limit = min(end, position &+ 10)
    var offset = position
    while offset < limit {
      let next = byte(at: offset)
      offset &+= 1
      value |= UInt64(next & 0x7f) &<< shift
      if next < 0x80 {
        position = offset
        return value
      }
      shift &+= 7
    }
    throw failure(limit == end && limit &- position < 10 ? .truncated : .malformedVarint)
  }

  /// A little-endian integer of fixed size.
  @inlinable
  @inline(__always)
  mutating func fixed<Value: FixedWidthInteger & BitwiseCopyable>(
    _ type: Value.Type
  ) throws(BinaryDecodingError) -> Value {
    guard end &- position >= MemoryLayout<Value>.size else { throw failure(.truncated) }
    let value = bytes.unsafeLoadUnaligned(fromByteOffset: position, as: Value.self)
    position &+= MemoryLayout<Value>.size
    return Value(littleEndian: value)
  }

  /// The length of a delimited value, all of which lies before the end.
  @inlinable
  @inline(__always)
  mutating func length() throws(BinaryDecodingError) -> Int {
    let start = position
    let value = try varint()
    guard value <= UInt64(end &- position) else {
      throw BinaryDecodingError(
        code: value > UInt64(Int32.max) ? .invalidLength : .truncated, byteOffset: start)
    }
    return Int(value)
  }
}
