extension BinaryDecoder {
  /// What ``enterMessage()`` and ``enterGroup()`` put aside.
  @usableFromInline
  struct Enclosing {
    @usableFromInline let end: Int
    @usableFromInline let group: UInt32

    @inlinable
    init(end: Int, group: UInt32) {
      self.end = end
      self.group = group
    }
  }

  @inlinable
  mutating func enterMessage() throws(BinaryDecodingError) -> Enclosing {
    let length = try length()
    guard depth > 0 else { throw failure(.messageDepthLimit) }
    depth &-= 1
    let enclosing = Enclosing(end: end, group: group)
    end = position &+ length
    group = 0
    return enclosing
  }

  @inlinable
  mutating func enterGroup() throws(BinaryDecodingError) -> Enclosing {
    guard depth > 0 else { throw failure(.messageDepthLimit) }
    depth &-= 1
    let enclosing = Enclosing(end: end, group: group)
    group = tag &>> 3
    return enclosing
  }

  @inlinable
  mutating func leave(_ enclosing: Enclosing) {
    end = enclosing.end
    group = enclosing.group
    depth &+= 1
  }

  /// Merges a message with a length into `message`.
  @inlinable
  mutating func delimited<M: Message>(_ message: inout M) throws(BinaryDecodingError) {
    let enclosing = try enterMessage()
    try message._protobufDecode(from: &self)
    leave(enclosing)
  }

  /// Merges the group whose start tag was just read into `message`.
  @inlinable
  mutating func delimitedByTags<M: Message>(_ message: inout M) throws(BinaryDecodingError) {
    let enclosing = try enterGroup()
    try message._protobufDecode(from: &self)
    leave(enclosing)
  }
}
