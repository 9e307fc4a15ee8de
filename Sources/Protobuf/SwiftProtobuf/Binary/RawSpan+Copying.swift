// Copies between spans and arrays a word at a time: the standard library has no bulk copy for spans
// yet. The loads are bounds-checked and of types without invalid bit patterns.
extension MutableRawSpan {
  /// Overwrites the bytes from `offset` on with `source`.
  @inlinable
  @_lifetime(self: copy self)
  mutating func copy(_ source: RawSpan, at offset: Int) {
    var done = 0
    let count = source.byteCount
    while count &- done >= 64 {
      storeBytes(
        of: source.unsafeLoadUnaligned(fromByteOffset: done, as: SIMD64<UInt8>.self),
        toByteOffset: offset &+ done, as: SIMD64<UInt8>.self)
      done &+= 64
    }
    while count &- done >= 8 {
      storeBytes(
        of: source.unsafeLoadUnaligned(fromByteOffset: done, as: UInt64.self),
        toByteOffset: offset &+ done, as: UInt64.self)
      done &+= 8
    }
    while done < count {
      storeBytes(
        of: source.unsafeLoad(fromByteOffset: done, as: UInt8.self),
        toByteOffset: offset &+ done, as: UInt8.self)
      done &+= 1
    }
  }
}

extension [UInt8] {
  /// Creates an array of the bytes of `source`.
  @inlinable
  init(copying source: RawSpan) {
    self.init(repeating: 0, count: source.byteCount)
    var span = mutableSpan
    var bytes = span.mutableBytes
    bytes.copy(source, at: 0)
  }

  /// Adds the bytes of `source` at the end.
  @inlinable
  mutating func append(copying source: RawSpan) {
    let offset = count
    append(contentsOf: repeatElement(0, count: source.byteCount))
    var span = mutableSpan
    var bytes = span.mutableBytes
    bytes.copy(source, at: offset)
  }
}
