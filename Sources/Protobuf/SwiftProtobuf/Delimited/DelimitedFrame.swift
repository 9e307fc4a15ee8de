/// A message and its length, gathered byte by byte.
struct DelimitedFrame {
  private(set) var body: [UInt8] = []
  private(set) var isStarted = false
  private var length: UInt64 = 0
  private var shift: UInt64 = 0
  private var hasLength = false

  /// Takes the next byte of a stream.
  ///
  /// - Returns: whether the message is complete.
  mutating func take(_ byte: UInt8) throws(BinaryDelimited.Error) -> Bool {
    isStarted = true
    if hasLength {
      body.append(byte)
    } else {
      length |= UInt64(byte & 0x7f) &<< shift
      shift += 7
      guard byte < 0x80 || shift < 70 else { throw .malformedLength }
      guard byte < 0x80 else { return false }
      guard length <= UInt64(Int32.max) else { throw .malformedLength }
      hasLength = true
    }
    return UInt64(body.count) == length
  }
}
