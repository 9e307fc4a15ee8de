// Counting ahead, so that a repeated field is allocated once. A count is only a hint: malformed
// input ends it, and is reported when it is read.
extension BinaryDecoder {
  /// Reads the next tag if it is `expected`, in its shortest encoding.
  @inlinable
  @inline(__always)
  mutating func skipTag(_ expected: UInt32) -> Bool {
    guard let next = offset(after: expected, at: position) else { return false }
    tagPosition = position
    position = next
    tag = expected
    return true
  }

  /// The offset behind the tag `expected` at `offset`; nil if something else is there.
  @inlinable
  @inline(__always)
  func offset(after expected: UInt32, at offset: Int) -> Int? {
    if expected < 0x80 {
      guard offset < end, UInt32(byte(at: offset)) == expected else { return nil }
      return offset &+ 1
    }
    return self.offset(afterLong: expected, at: offset)
  }

  @usableFromInline
  func offset(afterLong expected: UInt32, at offset: Int) -> Int? {
    var rest = expected
    var offset = offset
    while offset < end {
      let next = byte(at: offset)
      offset &+= 1
      if rest < 0x80 { return UInt32(next) == rest ? offset : nil }
      guard UInt32(next) == rest & 0x7f | 0x80 else { return nil }
      rest >>= 7
    }
    return nil
  }

  /// How many values with the current tag follow each other from here on; at least 1.
  @usableFromInline
  func countRun() -> Int {
    let isDelimited = tag & 7 == WireType.lengthDelimited.rawValue
    var count = 0
    var next: Int? = position
    while let offset = next {
      let valueEnd: Int
      if isDelimited, offset < end, byte(at: offset) < 0x80 {
        valueEnd = offset &+ 1 &+ Int(byte(at: offset))
        guard valueEnd <= end else { break }
      } else {
        guard let found = endOfValue(at: offset) else { break }
        valueEnd = found
      }
      count &+= 1
      next = self.offset(after: tag, at: valueEnd)
    }
    return max(count, 1)
  }

  /// The end of the value at `offset`; nil for a group or malformed input.
  private func endOfValue(at offset: Int) -> Int? {
    switch WireType(rawValue: tag & 7) {
    case .varint:
      return endOfVarint(at: offset)
    case .fixed32:
      return end - offset >= 4 ? offset + 4 : nil
    case .fixed64:
      return end - offset >= 8 ? offset + 8 : nil
    case .lengthDelimited:
      guard let start = endOfVarint(at: offset) else { return nil }
      var length = 0
      for index in offset..<min(start, offset + 5) {
        length |= Int(byte(at: index) & 0x7f) << (7 * (index - offset))
      }
      return length <= end - start ? start + length : nil
    case .startGroup, .endGroup, nil:
      return nil
    }
  }

  private func endOfVarint(at start: Int) -> Int? {
    var offset = start
    while offset < end, offset - start < 10 {
      if byte(at: offset) < 0x80 { return offset + 1 }
      offset &+= 1
    }
    return nil
  }

  /// How many values the packed field from here to the end holds.
  @usableFromInline
  func countPacked(_ wireType: WireType) -> Int {
    let length = end - position
    switch wireType {
    case .fixed32: return length / 4
    case .fixed64: return length / 8
    default: break
    }
    // A varint ends with the byte whose top bit is clear.
    var count = 0
    var offset = position
    while end - offset >= 8 {
      let word = bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
      count &+= (~word & 0x8080_8080_8080_8080).nonzeroBitCount
      offset &+= 8
    }
    while offset < end {
      count &+= byte(at: offset) < 0x80 ? 1 : 0
      offset &+= 1
    }
    return count
  }
}
