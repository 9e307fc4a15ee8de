/// The address of a socket: IPv4, IPv6, a path in the file system, an abstract name, or a virtual socket.
public struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
  /// An IPv4 address and a port.
  public struct IPv4: Hashable, Sendable {
    /// The address in dotted decimal, for example `127.0.0.1`.
    public var host: String
    /// The port; 0 asks for any that is free.
    public var port: Int

    /// Makes an IPv4 address.
    ///
    /// - Parameters:
    ///   - host: The address in dotted decimal.
    ///   - port: The port; 0 asks for any that is free.
    public init(host: String, port: Int) {
      self.host = host
      self.port = port
    }
  }

  /// An IPv6 address and a port.
  public struct IPv6: Hashable, Sendable {
    /// The address in RFC 5952's form, for example `::1`, without brackets.
    public var host: String
    /// The port; 0 asks for any that is free.
    public var port: Int

    /// Makes an IPv6 address.
    ///
    /// - Parameters:
    ///   - host: The address without brackets.
    ///   - port: The port; 0 asks for any that is free.
    public init(host: String, port: Int) {
      self.host = host
      self.port = port
    }
  }

  /// The path of a Unix domain socket.
  public struct UnixDomainSocket: Hashable, Sendable {
    /// The path in the file system.
    public var path: String

    /// Makes an address of a path.
    ///
    /// - Parameter path: The path in the file system, at most 107 bytes.
    public init(path: String) {
      self.path = path
    }
  }

  enum Family: Hashable, Sendable {
    case ipv4(IPv4)
    case ipv6(IPv6)
    case unixDomainSocket(UnixDomainSocket)
    case abstractSocket(AbstractSocket)
    case virtualSocket(VirtualSocket)
  }

  let family: Family

  init(family: Family) {
    self.family = family
  }

  /// The IPv4 address, if it is one.
  public var ipv4: IPv4? {
    if case .ipv4(let address) = family { address } else { nil }
  }

  /// The IPv6 address, if it is one.
  public var ipv6: IPv6? {
    if case .ipv6(let address) = family { address } else { nil }
  }

  /// The Unix domain socket, if it is one.
  public var unixDomainSocket: UnixDomainSocket? {
    if case .unixDomainSocket(let address) = family { address } else { nil }
  }

  /// Makes an address of an IPv4 address.
  public init(_ address: IPv4) {
    family = .ipv4(address)
  }

  /// Makes an address of an IPv6 address.
  public init(_ address: IPv6) {
    family = .ipv6(address)
  }

  /// Makes an address of a Unix domain socket.
  public init(_ address: UnixDomainSocket) {
    family = .unixDomainSocket(address)
  }

  /// An IPv4 address.
  ///
  /// - Parameters:
  ///   - host: The address in dotted decimal.
  ///   - port: The port; 0 asks for any that is free.
  public static func ipv4(host: String, port: Int) -> SocketAddress {
    SocketAddress(IPv4(host: host, port: port))
  }

  /// An IPv6 address.
  ///
  /// - Parameters:
  ///   - host: The address without brackets.
  ///   - port: The port; 0 asks for any that is free.
  public static func ipv6(host: String, port: Int) -> SocketAddress {
    SocketAddress(IPv6(host: host, port: port))
  }

  /// A Unix domain socket.
  ///
  /// - Parameter path: The path in the file system, at most 107 bytes.
  public static func unixDomainSocket(path: String) -> SocketAddress {
    SocketAddress(UnixDomainSocket(path: path))
  }

  /// The address as a gRPC name: `ipv4:127.0.0.1:8080`, `ipv6:[::1]:8080`, `unix:/run/kart.sock`,
  /// `unix-abstract:kart`, `vsock:3:5000`.
  public var description: String {
    switch family {
    case .ipv4(let address): "ipv4:\(address.host):\(address.port)"
    case .ipv6(let address): "ipv6:[\(address.host)]:\(address.port)"
    case .unixDomainSocket(let address): "unix:\(address.path)"
    case .abstractSocket(let address): "unix-abstract:\(address.name)"
    case .virtualSocket(let address): "\(address)"
    }
  }
}
