/// What a peer sends on a connection, made of an input.
///
/// The first byte says how the rest is to be read: as the bytes themselves, or as frames, so that a
/// mutation of the input changes what is in a frame without breaking all that follow.
struct PeerBytes {
  enum Peer {
    case client, server
  }

  private(set) var bytes: [UInt8] = []
  /// How many bytes are written at once.
  let chunkSize: Int
  /// Whether the call that meets a fuzzed server's answer streams its messages.
  let isStreaming: Bool

  private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
  private static let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]

  init(_ input: [UInt8], of peer: Peer) {
    let mode = input.first ?? 0
    chunkSize = [4096, 1, 9, 64][Int(mode >> 2 & 3)]
    isStreaming = mode & 16 != 0
    if mode & 2 == 0 {
      if peer == .client { bytes += Self.preface }
      bytes += Self.settings
    }
    var rest = input.dropFirst()
    if mode & 1 != 0 {
      bytes += rest
    } else {
      while let head = Self.take(4, off: &rest) { append(head, &rest, of: peer) }
    }
  }

  private static func take(_ count: Int, off bytes: inout ArraySlice<UInt8>) -> [UInt8]? {
    guard bytes.count >= count else { return nil }
    defer { bytes = bytes.dropFirst(count) }
    return Array(bytes.prefix(count))
  }

  /// Adds a frame: type, flags, stream and the length of the payload are a byte each. Two types that
  /// HTTP/2 does not have stand for what takes long to find by chance.
  private mutating func append(_ head: [UInt8], _ rest: inout ArraySlice<UInt8>, of peer: Peer) {
    let payload = Self.take(min(Int(head[3]), rest.count), off: &rest) ?? []
    switch head[0] {
    case 0x10:
      // A message behind its prefix in a DATA frame.
      appendFrame(0, head[1] & 1, head[2], [head[1] >> 7, 0, 0, 0, head[3]] + payload)
    case 0x11:
      // A header block that begins as it should.
      let block = peer == .client ? Self.request(head[1] >> 3) : Self.response(head[1] >> 3)
      appendFrame(1, head[1] & 1 | 4, head[2], block + payload)
    default:
      appendFrame(head[0], head[1], head[2], payload)
    }
  }

  private mutating func appendFrame(
    _ type: UInt8, _ flags: UInt8, _ stream: UInt8, _ payload: [UInt8]
  ) {
    bytes += [0, UInt8(payload.count >> 8), UInt8(payload.count & 0xff), type, flags]
    bytes += [0, 0, 0, stream]
    bytes += payload
  }

  private static func request(_ choice: UInt8) -> [UInt8] {
    let paths = ["/fuzz.Service/Unary", "/fuzz.Service/Stream", "/fuzz.Service/Fail", "/x/y"]
    var block: [UInt8] = [0x83, 0x86]
    block += field(":path", paths[Int(choice & 3)]) + field(":authority", "a")
    block += field("content-type", "application/grpc") + field("te", "trailers")
    if choice & 4 != 0 { block += field("grpc-timeout", "50000000u") }
    if choice & 8 != 0 { block += field("grpc-encoding", "gzip") }
    return block
  }

  private static func response(_ choice: UInt8) -> [UInt8] {
    if choice & 1 != 0 { return field("grpc-status", "\(choice >> 1)") }
    var block: [UInt8] = [0x88] + field("content-type", "application/grpc")
    if choice & 2 != 0 { block += field("grpc-status", "5") + field("grpc-message", "%41") }
    if choice & 4 != 0 { block += field("grpc-encoding", "deflate") }
    return block
  }

  /// A literal field that is never indexed (RFC 7541, section 6.2.3).
  private static func field(_ name: String, _ value: String) -> [UInt8] {
    [0x10, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.utf8.count)]
      + Array(value.utf8)
  }
}
