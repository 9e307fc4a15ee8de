/// The messages that wait to be sent on a stream, which come out as gRPC's length-prefixed bytes.
///
/// A message's array is kept as it is, shared with whoever else has it, and copied once: into the
/// block that is written to the socket.
struct OutboundMessages {
  /// One flag byte and four bytes of length before each message.
  static let prefixSize = 5

  private var head: [UInt8] = []
  private var headIsCompressed = false
  /// How much of the head is taken, its prefix included.
  private var headOffset = 0
  private var tail: [(message: [UInt8], isCompressed: Bool)] = []
  private var tailStart = 0
  /// How many bytes there are to send, prefixes included.
  private(set) var byteCount = 0
  /// How many messages were taken whole.
  var sentCount = 0
  /// How many bytes they have, without their prefixes.
  var sentBytes = 0

  var isEmpty: Bool { byteCount == 0 }

  mutating func append(_ message: [UInt8], isCompressed: Bool = false) {
    if isEmpty {
      head = message
      headIsCompressed = isCompressed
      headOffset = 0
    } else {
      tail.append((message, isCompressed))
    }
    byteCount += Self.prefixSize + message.count
  }

  mutating func removeAll() {
    let (sentCount, sentBytes) = (sentCount, sentBytes)
    self = OutboundMessages()
    self.sentCount = sentCount
    self.sentBytes = sentBytes
  }

  /// Takes the next `count` bytes, of which there must be as many.
  mutating func take(_ count: Int, into destination: UnsafeMutableRawPointer) {
    var written = 0
    byteCount -= count
    while written < count {
      written += copyFromHead(count - written, to: destination + written)
      if headOffset == Self.prefixSize + head.count { advance() }
    }
  }

  private mutating func copyFromHead(_ limit: Int, to destination: UnsafeMutableRawPointer) -> Int {
    var copied = 0
    while headOffset < Self.prefixSize, copied < limit {
      let shift = 8 * (Self.prefixSize - 1 - headOffset)
      let byte =
        headOffset == 0
        ? (headIsCompressed ? 1 : 0) : UInt8(truncatingIfNeeded: head.count >> shift)
      destination.storeBytes(of: byte, toByteOffset: copied, as: UInt8.self)
      headOffset += 1
      copied += 1
    }
    let start = headOffset - Self.prefixSize
    let size = min(limit - copied, head.count - start)
    guard size > 0 else { return copied }
    head.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      (destination + copied).copyMemory(from: base + start, byteCount: size)
    }
    headOffset += size
    return copied + size
  }

  private mutating func advance() {
    headOffset = 0
    sentCount += 1
    sentBytes += head.count
    guard tailStart < tail.count else {
      head = []
      return
    }
    (head, headIsCompressed) = tail[tailStart]
    tail[tailStart].message = []
    tailStart += 1
    if tailStart == tail.count {
      tail.removeAll(keepingCapacity: true)
      tailStart = 0
    } else if tailStart >= 64, tailStart * 2 >= tail.count {
      tail.removeFirst(tailStart)
      tailStart = 0
    }
  }
}
