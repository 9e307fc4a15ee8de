extension Grpc_Channelz_V1_Address {
  /// Reads a gRPC name such as `ipv4:127.0.0.1:8080`, `ipv6:[::1]:8080` or `unix:/run/kart.sock`;
  /// nil for an empty one. Names of other kinds are kept as they are.
  init?(name: String) {
    guard !name.isEmpty else { return nil }
    self.init()
    if name.hasPrefix("unix:") {
      udsAddress = .with { $0.filename = String(name.dropFirst("unix:".count)) }
    } else if let (bytes, port) = Self.tcp(name) {
      tcpipAddress = .with {
        $0.ipAddress = bytes
        $0.port = port
      }
    } else {
      otherAddress = .with { $0.name = name }
    }
  }

  private static func tcp(_ name: String) -> ([UInt8], Int32)? {
    guard let colon = name.lastIndex(of: ":"), let port = Int32(name[name.index(after: colon)...])
    else { return nil }
    let host = name[..<colon]
    if host.hasPrefix("ipv4:") {
      let parts = host.dropFirst("ipv4:".count).split(separator: ".").map { UInt8($0) }
      let bytes = parts.compactMap(\.self)
      return parts.count == 4 && bytes.count == 4 ? (bytes, port) : nil
    }
    guard host.hasPrefix("ipv6:["), host.hasSuffix("]") else { return nil }
    return ipv6(host.dropFirst("ipv6:[".count).dropLast()).map { ($0, port) }
  }

  /// The 16 bytes of an IPv6 address (RFC 4291, section 2.2); nil for one with a zone, or in the
  /// mixed form.
  private static func ipv6(_ text: Substring) -> [UInt8]? {
    let halves = text.split(separator: "::", maxSplits: 1, omittingEmptySubsequences: false)
    let groups = halves.map { half in
      half.split(separator: ":").map { UInt16($0, radix: 16) }
    }
    guard !groups.joined().contains(nil), halves.count == 1 || !halves[1].contains("::") else {
      return nil
    }
    let (head, tail) = (
      groups[0].compactMap(\.self), groups.dropFirst().flatMap { $0.compactMap(\.self) }
    )
    let missing = 8 - head.count - tail.count
    guard halves.count == 2 ? missing > 0 : missing == 0 else { return nil }
    let all = head + Array(repeating: 0, count: missing) + tail
    return all.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
  }
}
