import CLinux
import GRPCCore

/// The TXT records of a name (RFC 1035).
enum TextRecords {
  /// The largest answer, in bytes.
  private static let limit = 65_535

  /// Looks a name's records up.
  ///
  /// - Parameters:
  ///   - name: The name, which is taken to be complete.
  ///   - server: The server to ask, an IPv4 address; those that the system names if nil.
  /// - Returns: The texts; none if there are no records, or there is no such name.
  /// - Throws: `RPCError` with code `unavailable` if no server answers, or with one that cannot be read.
  static func lookUp(_ name: String, server: SocketAddress? = nil) async throws -> [String] {
    try await Blocking.call { try query(name, server) }
  }

  private static func query(_ name: String, _ server: SocketAddress?) throws -> [String] {
    var reason: Int32 = 0
    var answer = [UInt8](repeating: 0, count: limit)
    let size =
      try server.map { server in
        try SocketAddressStorage(server).withSockaddr { address, _ in
          query_text_records(name, address, &answer, Int32(limit), &reason)
        }
      } ?? query_text_records(name, nil, &answer, Int32(limit), &reason)
    answer.removeSubrange(max(0, min(Int(size), limit))...)
    if answer.isEmpty {
      guard reason == HOST_NOT_FOUND || reason == NO_DATA else {
        throw RPCError(
          code: .unavailable, message: "The TXT records of “\(name)” cannot be looked up.")
      }
      return []
    }
    guard let texts = texts(in: answer) else {
      throw RPCError(
        code: .unavailable, message: "The DNS server's answer for “\(name)” cannot be read.")
    }
    return texts
  }

  /// The texts of the TXT records among an answer's; nil if its bytes are no answer.
  static func texts(in answer: [UInt8]) -> [String]? {
    var reader = DNSReader(answer)
    guard reader.skip(4), let questions = reader.number(), let answers = reader.number(),
      reader.skip(4)
    else { return nil }
    for _ in 0..<questions {
      guard reader.skipName(), reader.skip(4) else { return nil }
    }
    var texts: [String] = []
    for _ in 0..<answers {
      guard reader.skipName(), let type = reader.number(), reader.skip(6),
        let size = reader.number(), let data = reader.take(size)
      else { return nil }
      guard type == 16 else { continue }
      guard let text = text(data) else { return nil }
      texts.append(text)
    }
    return texts
  }

  /// The strings of a record, which are one: each has a byte of length before it.
  private static func text(_ data: ArraySlice<UInt8>) -> String? {
    var rest = data
    var bytes: [UInt8] = []
    while let size = rest.popFirst() {
      guard rest.count >= Int(size) else { return nil }
      bytes += rest.prefix(Int(size))
      rest = rest.dropFirst(Int(size))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Reads what DNS servers send.
private struct DNSReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    rest = bytes[...]
  }

  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func skip(_ count: Int) -> Bool { take(count) != nil }

  /// Two bytes.
  mutating func number() -> Int? {
    take(2).map { $0.reduce(0) { $0 << 8 | Int($1) } }
  }

  /// Labels up to an empty one, or to a pointer to others.
  mutating func skipName() -> Bool {
    while let length = rest.popFirst() {
      if length == 0 { return true }
      if length & 0xc0 == 0xc0 { return skip(1) }
      guard length & 0xc0 == 0, skip(Int(length)) else { return false }
    }
    return false
  }
}
