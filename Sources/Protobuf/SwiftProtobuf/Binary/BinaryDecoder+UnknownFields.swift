extension BinaryDecoder {
  /// Reads over the field whose tag was just read, and keeps its bytes in `storage`.
  public mutating func unknownField(
    into storage: inout UnknownStorage
  ) throws(BinaryDecodingError) {
    let start = tagPosition
    try skipField()
    keep(from: start, into: &storage)
  }

  /// Keeps everything from `start` to the current position in `storage`.
  @usableFromInline
  func keep(from start: Int, into storage: inout UnknownStorage) {
    guard keepsUnknownFields else { return }
    storage.append(bytes.extracting(start..<position))
  }

  /// Reads over the value of the tag that was just read.
  @usableFromInline
  mutating func skipField() throws(BinaryDecodingError) {
    guard tag >> 3 != 0, let wireType = WireType(rawValue: tag & 7) else {
      throw BinaryDecodingError(code: .invalidTag, byteOffset: tagPosition)
    }
    switch wireType {
    case .varint: _ = try varint()
    case .fixed64: _ = try fixed(UInt64.self)
    case .fixed32: _ = try fixed(UInt32.self)
    case .lengthDelimited:
      let length = try length()
      position += length
    case .startGroup:
      let enclosing = try enterGroup()
      while try nextTag() != nil {
        try skipField()
      }
      leave(enclosing)
    case .endGroup:
      throw BinaryDecodingError(code: .unmatchedEndGroup, byteOffset: tagPosition)
    }
  }
}
