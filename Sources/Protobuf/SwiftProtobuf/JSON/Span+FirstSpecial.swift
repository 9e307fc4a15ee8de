extension Span where Element == UInt8 {
  /// The offset of the first byte from `start` on that may not stand as it is in a JSON string: a
  /// control character, a quote or a backslash; `count` if there is none.
  ///
  /// Eight bytes are looked at at a time. The loads are bounds-checked.
  func firstSpecial(from start: Int) -> Int {
    let bytes = self.bytes
    let count = self.count
    var offset = start
    while count &- offset >= 8 {
      let word = bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
      let found = specialBytes(word)
      if found != 0 { return offset &+ found.trailingZeroBitCount &>> 3 }
      offset &+= 8
    }
    while offset < count {
      let byte = self[offset]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7f {
        return offset
      }
      offset &+= 1
    }
    return count
  }

  /// A word whose lowest set bit is the top bit of the first special byte of `word`; 0 if there is
  /// none. Bits above that one mean nothing: a borrow may have come from the byte below.
  @inline(__always)
  private func specialBytes(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let controls = word &- ones &* 0x20
    let quotes = (word ^ ones &* 0x22) &- ones
    let backslashes = (word ^ ones &* 0x5c) &- ones
    let deletes = (word ^ ones &* 0x7f) &- ones
    // What has its top bit set already is not ASCII, and not special.
    return (controls | quotes | backslashes | deletes) & ~word & 0x8080_8080_8080_8080
  }
}
