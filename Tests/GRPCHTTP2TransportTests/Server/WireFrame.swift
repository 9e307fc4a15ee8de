/// One HTTP/2 frame, as it is on the wire (RFC 9113, section 4.1).
struct WireFrame: Hashable, Sendable, CustomStringConvertible {
  enum Kind: UInt8, Sendable {
    case data, headers, priority, reset, settings, pushPromise, ping, goAway, windowUpdate,
      continuation
  }

  static let endStream: UInt8 = 0x1
  static let acknowledgement: UInt8 = 0x1
  static let endHeaders: UInt8 = 0x4
  static let padded: UInt8 = 0x8

  var type: UInt8
  var flags: UInt8
  var stream: UInt32
  var payload: [UInt8]
  /// The fields of a HEADERS frame that was received.
  var fields: [String: String] = [:]
  /// What the header says of the payload's length, if that is not the truth.
  var claimedLength: Int?

  init(type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) {
    self.type = type
    self.flags = flags
    self.stream = stream
    self.payload = payload
  }

  init(_ kind: Kind, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) {
    self.init(type: kind.rawValue, flags: flags, stream: stream, payload)
  }

  var bytes: [UInt8] {
    let length = claimedLength ?? payload.count
    return [UInt8(truncatingIfNeeded: length >> 16), UInt8(truncatingIfNeeded: length >> 8)]
      + [UInt8(truncatingIfNeeded: length), type, flags] + Self.bytes(stream) + payload
  }

  var kind: Kind? { Kind(rawValue: type) }

  func has(_ flag: UInt8) -> Bool { flags & flag != 0 }

  /// The error code of a RST_STREAM or GOAWAY frame.
  var code: UInt32? {
    switch kind {
    case .reset: Self.number(payload[...])
    case .goAway: Self.number(payload.dropFirst(4))
    default: nil
    }
  }

  /// What a GOAWAY frame says besides.
  var words: String { String(decoding: payload.dropFirst(8), as: UTF8.self) }

  var description: String {
    "\(kind.map { "\($0)" } ?? "type \(type)") flags \(flags) stream \(stream) "
      + "length \(payload.count)\(code.map { " code \($0)" } ?? "")"
  }

  static func bytes(_ number: UInt32) -> [UInt8] {
    stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }
}

extension WireFrame {
  static func settings(_ entries: [(UInt16, UInt32)] = []) -> WireFrame {
    WireFrame(
      .settings, entries.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] + Self.bytes($1) })
  }

  static func ping(_ byte: UInt8 = 0) -> WireFrame {
    WireFrame(.ping, [UInt8](repeating: byte, count: 8))
  }

  static func reset(_ stream: UInt32, code: UInt32 = 8) -> WireFrame {
    WireFrame(.reset, stream: stream, bytes(code))
  }

  static func windowUpdate(_ stream: UInt32, by size: UInt32) -> WireFrame {
    WireFrame(.windowUpdate, stream: stream, bytes(size))
  }

  static func headers(
    _ stream: UInt32, _ fields: [(String, String)], endStream: Bool = false,
    endHeaders: Bool = true
  ) -> WireFrame {
    WireFrame(
      .headers,
      flags: (endStream ? Self.endStream : 0) | (endHeaders ? Self.endHeaders : 0),
      stream: stream, WireHeaders.encode(fields))
  }

  /// A gRPC message in a DATA frame.
  static func message(
    _ stream: UInt32, _ message: [UInt8] = [7], endStream: Bool = true
  ) -> WireFrame {
    WireFrame(
      .data, flags: endStream ? Self.endStream : 0, stream: stream,
      [0] + bytes(UInt32(message.count)) + message)
  }
}
