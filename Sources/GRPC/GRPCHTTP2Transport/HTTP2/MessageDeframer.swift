/// Cuts a stream's bytes into gRPC's length-prefixed messages.
struct MessageDeframer {
  /// Why bytes are no messages.
  enum Failure: Error, Hashable, Sendable {
    /// The first byte of the prefix is neither 0 nor 1.
    case malformedPrefix(flag: UInt8)
    /// The message is said to be compressed, and no encoding was agreed upon.
    case unexpectedCompression
    case tooLarge(size: Int, limit: Int)
  }

  /// The largest message, in bytes.
  let limit: Int
  private var prefix: UInt64 = 0
  private var prefixCount = 0
  /// The size of the message that is being collected.
  private var expected: Int?
  private var partial: [UInt8] = []

  init(limit: Int) {
    self.limit = limit
  }

  /// Whether there is a part of a message: the stream must not end here.
  var isInsideMessage: Bool { prefixCount > 0 || expected != nil }

  /// Takes one message from the front of `bytes`, or all of them towards one.
  ///
  /// - Parameter bytes: What came in; what is left when this returns a message is to be given
  ///   again.
  /// - Returns: A message, or nil when more bytes are needed.
  mutating func next(
    from bytes: inout UnsafeRawBufferPointer
  ) throws(Failure) -> [UInt8]? {
    if expected == nil {
      guard try readPrefix(&bytes) else { return nil }
    }
    guard let expected else { return nil }
    if partial.isEmpty, bytes.count >= expected {
      let message = [UInt8](bytes[..<(bytes.startIndex + expected)])
      bytes = UnsafeRawBufferPointer(rebasing: bytes[expected...])
      self.expected = nil
      return message
    }
    let missing = expected - partial.count
    // The size is only a claim until the bytes are there: the array grows with them.
    if partial.isEmpty { partial.reserveCapacity(min(expected, 64 << 10)) }
    let taken = min(missing, bytes.count)
    partial.append(contentsOf: bytes[..<taken])
    bytes = UnsafeRawBufferPointer(rebasing: bytes[taken...])
    guard taken == missing else { return nil }
    let message = partial
    partial = []
    self.expected = nil
    return message
  }

  private mutating func readPrefix(
    _ bytes: inout UnsafeRawBufferPointer
  ) throws(Failure) -> Bool {
    let taken = min(OutboundMessages.prefixSize - prefixCount, bytes.count)
    for index in 0..<taken { prefix = prefix << 8 | UInt64(bytes[index]) }
    prefixCount += taken
    bytes = UnsafeRawBufferPointer(rebasing: bytes[taken...])
    guard prefixCount == OutboundMessages.prefixSize else { return false }
    let flag = UInt8(prefix >> 32)
    let size = Int(prefix & 0xffff_ffff)
    prefix = 0
    prefixCount = 0
    guard flag <= 1 else { throw .malformedPrefix(flag: flag) }
    guard flag == 0 else { throw .unexpectedCompression }
    guard size <= limit else { throw .tooLarge(size: size, limit: limit) }
    expected = size
    return true
  }
}
