/// A text that is no address, or an address that no socket can have.
public struct InvalidSocketAddress: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence that names the address and what is wrong with it.
  public var description: String

  /// Makes an error.
  ///
  /// - Parameter description: One sentence that names the address and what is wrong with it.
  public init(_ description: String) {
    self.description = description
  }
}

extension SocketAddress {
  /// Reads an address from its gRPC name.
  ///
  /// - Parameter name: `ipv4:127.0.0.1:8080`, `ipv6:[::1]:8080`, `unix:/path` or `unix:///path`,
  ///   `unix-abstract:name`, `vsock:3:5000`, or `vsock::5000` for any of this machine's context IDs.
  /// - Throws: ``InvalidSocketAddress`` if the name has another form, or cannot be an address.
  public init(parsing name: String) throws(InvalidSocketAddress) {
    let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw Self.unknownForm(name) }
    let rest = parts[1]
    switch parts[0] {
    case "ipv4":
      guard let colon = rest.lastIndex(of: ":"), let port = Self.port(rest[colon...]) else {
        throw InvalidSocketAddress("“\(name)” is no address: write ipv4:ADDRESS:PORT.")
      }
      self = .ipv4(host: String(rest[..<colon]), port: port)
    case "ipv6":
      guard rest.first == "[", let bracket = rest.lastIndex(of: "]"),
        let port = Self.port(rest[rest.index(after: bracket)...])
      else {
        throw InvalidSocketAddress("“\(name)” is no address: write ipv6:[ADDRESS]:PORT.")
      }
      self = .ipv6(host: String(rest[rest.index(after: rest.startIndex)..<bracket]), port: port)
    case "unix":
      let path = rest.hasPrefix("///") ? rest.dropFirst(2) : rest
      guard !path.isEmpty, !path.hasPrefix("//") else {
        throw InvalidSocketAddress("“\(name)” is no address: write unix:PATH or unix:///PATH.")
      }
      self = .unixDomainSocket(path: String(path))
    case "unix-abstract":
      guard !rest.isEmpty else {
        throw InvalidSocketAddress("“\(name)” is no address: write unix-abstract:NAME.")
      }
      self = .unixAbstract(name: String(rest))
    case "vsock":
      guard let virtual = VirtualSocket(parsing: rest) else {
        throw InvalidSocketAddress(
          "“\(name)” is no address: write vsock:CID:PORT, or vsock::PORT for any CID.")
      }
      self = SocketAddress(virtual)
    default:
      throw Self.unknownForm(name)
    }
    // Finds what cannot be an address, for example ipv4:localhost:80.
    _ = try SocketAddressStorage(self)
  }

  private static func unknownForm(_ name: String) -> InvalidSocketAddress {
    InvalidSocketAddress(
      "“\(name)” is no address: write ipv4:ADDRESS:PORT, ipv6:[ADDRESS]:PORT, unix:PATH, "
        + "unix-abstract:NAME or vsock:CID:PORT.")
  }

  private static func port(_ text: Substring) -> Int? {
    guard text.first == ":", text.dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let port = UInt16(text.dropFirst())
    else { return nil }
    return Int(port)
  }
}
