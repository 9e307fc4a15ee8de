import GRPCCore

/// The messages of a request, kept so that it can be sent again.
///
/// A message's array is kept as it is, shared with whoever else has it.
struct KeptRequest {
  typealias Item = (message: [UInt8], compression: CompressionAlgorithm?)

  /// What a message takes besides its bytes: the head of its array, and its place here.
  static let overhead = 64

  // Most requests are one message, for which no array is made.
  private var first: Item?
  private var others: [Item] = []
  /// How many bytes all of it takes.
  private(set) var byteCount = 0

  mutating func append(_ message: [UInt8], _ compression: CompressionAlgorithm?) {
    byteCount += message.count + Self.overhead
    if first == nil {
      first = (message, compression)
    } else {
      others.append((message, compression))
    }
  }

  func forEach(_ body: (Item) -> Void) {
    guard let first else { return }
    body(first)
    others.forEach(body)
  }
}
