// Copies between spans and arrays a word at a time: the standard library has no bulk copy for spans
// yet. The loads are bounds-checked and of types without invalid bit patterns.
extension MutableRawSpan {
  /// Overwrites the bytes from `offset` on with `source`.
  @inlinable
  @_lifetime(self: copy self)
  mutating func copy(_ source: RawSpan, at offset: Int) {
    let count = source.byteCount
    if count >= 8 {
      copyWords(source, at: offset)
    } else if count >= 4 {
      // Two words that overlap unless there are eight bytes.
      copyWord(UInt32.self, source, from: 0, at: offset)
      copyWord(UInt32.self, source, from: count &- 4, at: offset)
    } else {
      for index in 0..<count { copyWord(UInt8.self, source, from: index, at: offset) }
    }
  }

  /// Overwrites the bytes from `offset` on with `source`, which has at least eight.
  @usableFromInline
  @_lifetime(self: copy self)
  mutating func copyWords(_ source: RawSpan, at offset: Int) {
    let count = source.byteCount
    var done = 0
    while count &- done >= 64 {
      copyWord(SIMD64<UInt8>.self, source, from: done, at: offset)
      done &+= 64
    }
    while count &- done >= 8 {
      copyWord(UInt64.self, source, from: done, at: offset)
      done &+= 8
    }
    // The last word overlaps the one before.
    if done < count { copyWord(UInt64.self, source, from: count &- 8, at: offset) }
  }

  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func copyWord<Word: BitwiseCopyable>(
    _ word: Word.Type, _ source: RawSpan, from index: Int, at offset: Int
  ) {
    storeBytes(
      of: source.unsafeLoadUnaligned(fromByteOffset: index, as: Word.self),
      toByteOffset: offset &+ index, as: Word.self)
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
