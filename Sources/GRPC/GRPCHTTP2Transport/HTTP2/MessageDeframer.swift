/// Cuts a stream's bytes into gRPC's length-prefixed messages.
struct MessageDeframer {
  /// Why bytes are no messages.
  enum Failure: Error, Hashable, Sendable {
    /// The first byte of the prefix is neither 0 nor 1.
    case malformedPrefix(flag: UInt8)
    /// The message is said to be compressed, and no encoding was agreed upon.
    case unexpectedCompression
    case tooLarge(size: Int, limit: Int)
    /// The message has more bytes than it may, once it is decompressed.
    case tooLargeDecompressed(limit: Int)
    /// The message is not in the format of the encoding.
    case malformedCompression
  }

  /// The largest message, in bytes.
  let limit: Int
  /// Decompresses messages; nil where no encoding was agreed upon.
  var decompressor: MessageDecompressor?
  /// Whether the latest message was compressed.
  private(set) var latestIsCompressed = false
  /// How many messages there were.
  private(set) var count = 0
  /// How many bytes the messages have that have begun, as they are compressed.
  private(set) var byteCount = 0
  private var prefix: UInt64 = 0
  private var prefixCount: UInt8 = 0
  /// The size of the message that is being collected.
  private var expected: UInt32?
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
  /// - Returns: A message as it was sent, see ``content(of:isCompressed:)``; nil when more bytes are
  ///   needed.
  mutating func next(
    from bytes: inout UnsafeRawBufferPointer
  ) throws(Failure) -> [UInt8]? {
    if expected == nil {
      guard try readPrefix(&bytes) else { return nil }
    }
    guard let expected = expected.map(Int.init) else { return nil }
    if partial.isEmpty, bytes.count >= expected {
      let message = [UInt8](bytes[..<(bytes.startIndex + expected)])
      bytes = UnsafeRawBufferPointer(rebasing: bytes[expected...])
      self.expected = nil
      count += 1
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
    count += 1
    return message
  }

  /// Decompresses a message if it was compressed.
  ///
  /// What waits to be read stays compressed until then: a message of a few KiB can become one of the
  /// largest allowed, and many of them would fill the memory that their senders did not fill.
  func content(of message: [UInt8], isCompressed: Bool) throws(Failure) -> [UInt8] {
    guard isCompressed, let decompressor else { return message }
    do throws(MessageDecompressor.Failure) {
      return try decompressor.decompress(message, limit: limit)
    } catch {
      switch error {
      case .malformed: throw .malformedCompression
      case .tooLarge: throw .tooLargeDecompressed(limit: limit)
      }
    }
  }

  private mutating func readPrefix(
    _ bytes: inout UnsafeRawBufferPointer
  ) throws(Failure) -> Bool {
    let taken = min(OutboundMessages.prefixSize - Int(prefixCount), bytes.count)
    for index in 0..<taken { prefix = prefix << 8 | UInt64(bytes[index]) }
    prefixCount += UInt8(taken)
    bytes = UnsafeRawBufferPointer(rebasing: bytes[taken...])
    guard Int(prefixCount) == OutboundMessages.prefixSize else { return false }
    let flag = UInt8(prefix >> 32)
    let size = Int(prefix & 0xffff_ffff)
    prefix = 0
    prefixCount = 0
    guard flag <= 1 else { throw .malformedPrefix(flag: flag) }
    latestIsCompressed = flag == 1
    guard !latestIsCompressed || decompressor != nil else { throw .unexpectedCompression }
    guard size <= limit || latestIsCompressed && size <= compressedLimit else {
      throw .tooLarge(size: size, limit: limit)
    }
    expected = UInt32(size)
    byteCount += size
    return true
  }

  /// A message that is as large as it may be can become a little larger by compression.
  private var compressedLimit: Int {
    let (sum, overflows) = limit.addingReportingOverflow(limit / 1024 + 64)
    return overflows ? limit : sum
  }
}
