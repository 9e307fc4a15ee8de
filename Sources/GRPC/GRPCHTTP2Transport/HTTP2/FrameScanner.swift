import CNghttp2

/// Walks over the frames in a peer's bytes, which the session takes after it.
///
/// nghttp2 reports a header block when it is complete, and nothing at all of the frames that it ignores. Both is
/// what a server has to keep within bounds, so it looks for itself.
struct FrameScanner {
  /// What the first bytes of a frame say (RFC 9113, section 4.1).
  struct Header: Hashable, Sendable {
    var length: Int
    var type: UInt8
    var flags: UInt8

    func has(_ flag: nghttp2_flag) -> Bool { flags & UInt8(flag.rawValue) != 0 }

    func isOf(_ type: nghttp2_frame_type) -> Bool { self.type == UInt8(type.rawValue) }
  }

  static let headerSize = 9

  /// What is left to be passed over: the client's preface first, a frame's payload later.
  private var rest: Int
  private var partial: UInt64 = 0
  private var partialCount = 0
  /// Whether a header block has begun whose last frame has not.
  private var blockContinues = false
  /// Whether the payload that is passed over belongs to a header block.
  private var payloadIsBlock = false

  /// - Parameter prefaceSize: How many bytes come before the first frame.
  init(prefaceSize: Int) {
    rest = prefaceSize
  }

  /// Whether a header block has begun and is not complete.
  var isInsideHeaderBlock: Bool { blockContinues || (payloadIsBlock && rest > 0) }

  /// Passes over bytes.
  ///
  /// - Parameters:
  ///   - bytes: What came in.
  ///   - visit: Called with each frame's header, when that is complete.
  mutating func scan(_ bytes: UnsafeRawBufferPointer, _ visit: (Header) -> Void) {
    var offset = 0
    while true {
      let passed = min(rest, bytes.count - offset)
      rest -= passed
      offset += passed
      guard offset < bytes.count else { return }
      payloadIsBlock = false
      if partialCount == 0, bytes.count - offset >= Self.headerSize {
        let first = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).bigEndian
        offset += Self.headerSize
        begin(first >> 24, visit)
      } else {
        partial = partial << 8 | UInt64(bytes[offset])
        partialCount += 1
        offset += 1
        // What is left of the header is the stream's number, which is passed over like the payload.
        if partialCount == 5 { begin(partial, visit, stillToCome: Self.headerSize - 5) }
      }
    }
  }

  /// - Parameter head: The length, type and flags, which are five bytes.
  private mutating func begin(
    _ head: UInt64, _ visit: (Header) -> Void, stillToCome: Int = 0
  ) {
    let header = Header(
      length: Int(head >> 16), type: UInt8(truncatingIfNeeded: head >> 8),
      flags: UInt8(truncatingIfNeeded: head))
    rest = header.length + stillToCome
    partial = 0
    partialCount = 0
    payloadIsBlock = header.isOf(NGHTTP2_HEADERS) || header.isOf(NGHTTP2_CONTINUATION)
    blockContinues = payloadIsBlock && !header.has(NGHTTP2_FLAG_END_HEADERS)
    visit(header)
  }
}
