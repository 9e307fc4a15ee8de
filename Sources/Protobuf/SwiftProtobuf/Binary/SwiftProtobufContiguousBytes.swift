/// Bytes that lie in one piece of memory: what messages are read from and written to.
public protocol SwiftProtobufContiguousBytes {
  /// Creates `count` bytes of the same value.
  init(repeating byte: UInt8, count: Int)

  /// The number of bytes.
  var count: Int { get }

  /// The bytes, to read.
  var rawSpan: RawSpan { @_lifetime(borrow self) borrowing get }

  /// The bytes, to write.
  @_lifetime(&self)
  mutating func mutableByteSpan() -> MutableSpan<UInt8>
}

extension [UInt8]: SwiftProtobufContiguousBytes {
  /// The bytes, to read.
  @inlinable
  public var rawSpan: RawSpan {
    @_lifetime(borrow self)
    borrowing get { span.bytes }
  }

  /// The bytes, to write.
  @inlinable
  @_lifetime(&self)
  public mutating func mutableByteSpan() -> MutableSpan<UInt8> { mutableSpan }
}
