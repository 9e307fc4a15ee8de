import GRPCCore

extension ResolvableTargets {
  /// A list of IPv4 addresses, each of them an endpoint.
  public struct IPv4: ResolvableTarget, Hashable, CustomStringConvertible {
    /// The addresses and ports.
    public var addresses: [SocketAddress]

    init(addresses: [SocketAddress]) {
      self.addresses = addresses
    }

    /// Makes a target.
    ///
    /// - Parameter pairs: Addresses in dotted form, and ports.
    public init(pairs: [(address: String, port: Int)]) {
      addresses = pairs.map { .ipv4(host: $0.address, port: $0.port) }
    }

    /// The target as a gRPC name, such as `ipv4:127.0.0.1:8080`.
    public var description: String {
      "ipv4:" + addresses.map { String("\($0)".dropFirst(5)) }.joined(separator: ",")
    }
  }

  /// A list of IPv6 addresses, each of them an endpoint.
  public struct IPv6: ResolvableTarget, Hashable, CustomStringConvertible {
    /// The addresses and ports.
    public var addresses: [SocketAddress]

    init(addresses: [SocketAddress]) {
      self.addresses = addresses
    }

    /// Makes a target.
    ///
    /// - Parameter pairs: Addresses in colon form without brackets, and ports.
    public init(pairs: [(address: String, port: Int)]) {
      addresses = pairs.map { .ipv6(host: $0.address, port: $0.port) }
    }

    /// The target as a gRPC name, such as `ipv6:[::1]:8080`.
    public var description: String {
      "ipv6:" + addresses.map { String("\($0)".dropFirst(5)) }.joined(separator: ",")
    }
  }
}

extension ResolvableTarget where Self == ResolvableTargets.IPv4 {
  /// One IPv4 address.
  ///
  /// - Parameters:
  ///   - address: The address in dotted form.
  ///   - port: The port.
  /// - Returns: The target.
  public static func ipv4(address: String, port: Int = 443) -> Self {
    Self(pairs: [(address, port)])
  }

  /// One IPv4 address.
  ///
  /// - Parameters:
  ///   - host: The address in dotted form.
  ///   - port: The port.
  /// - Returns: The target.
  public static func ipv4(host: String, port: Int = 443) -> Self {
    Self(pairs: [(host, port)])
  }

  /// A list of IPv4 addresses.
  ///
  /// - Parameter pairs: Addresses in dotted form, and ports.
  /// - Returns: The target.
  public static func ipv4(pairs: [(address: String, port: Int)]) -> Self {
    Self(pairs: pairs)
  }
}

extension ResolvableTarget where Self == ResolvableTargets.IPv6 {
  /// One IPv6 address.
  ///
  /// - Parameters:
  ///   - address: The address in colon form without brackets.
  ///   - port: The port.
  /// - Returns: The target.
  public static func ipv6(address: String, port: Int = 443) -> Self {
    Self(pairs: [(address, port)])
  }

  /// One IPv6 address.
  ///
  /// - Parameters:
  ///   - host: The address in colon form without brackets.
  ///   - port: The port.
  /// - Returns: The target.
  public static func ipv6(host: String, port: Int = 443) -> Self {
    Self(pairs: [(host, port)])
  }

  /// A list of IPv6 addresses.
  ///
  /// - Parameter pairs: Addresses in colon form without brackets, and ports.
  /// - Returns: The target.
  public static func ipv6(pairs: [(address: String, port: Int)]) -> Self {
    Self(pairs: pairs)
  }
}

extension NameResolvers {
  /// Resolves lists of IPv4 addresses to themselves.
  public struct IPv4: NameResolverFactory {
    /// Makes a factory.
    public init() {}

    /// Makes a resolver with one result.
    ///
    /// - Parameter target: The addresses.
    /// - Returns: The resolver.
    public func resolver(for target: ResolvableTargets.IPv4) -> NameResolver {
      .fixed(
        target.addresses,
        authority: target.addresses.first?.ipv4.map { "\($0.host):\($0.port)" })
    }
  }

  /// Resolves lists of IPv6 addresses to themselves.
  public struct IPv6: NameResolverFactory {
    /// Makes a factory.
    public init() {}

    /// Makes a resolver with one result.
    ///
    /// - Parameter target: The addresses.
    /// - Returns: The resolver.
    public func resolver(for target: ResolvableTargets.IPv6) -> NameResolver {
      .fixed(
        target.addresses,
        authority: target.addresses.first?.ipv6.map { "[\($0.host)]:\($0.port)" })
    }
  }
}
