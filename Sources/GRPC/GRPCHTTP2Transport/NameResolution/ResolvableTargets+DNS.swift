import GRPCCore

extension ResolvableTargets {
  /// A host's name that is looked up, each of its addresses an endpoint.
  public struct DNS: ResolvableTarget, Hashable, CustomStringConvertible {
    /// The host's name or its IP address.
    public var host: String

    /// The port.
    public var port: Int

    /// Makes a target.
    ///
    /// - Parameters:
    ///   - host: The host's name or its IP address.
    ///   - port: The port.
    public init(host: String, port: Int) {
      self.host = host
      self.port = port
    }

    /// The target as a gRPC name, such as `dns:localhost:8080`.
    public var description: String { "dns:\(authority)" }

    /// The host, in brackets if it is an IPv6 address, and the port.
    var authority: String {
      host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
  }
}

extension ResolvableTarget where Self == ResolvableTargets.DNS {
  /// A host's name that is looked up, each of its addresses an endpoint.
  ///
  /// - Parameters:
  ///   - host: The host's name or its IP address.
  ///   - port: The port.
  /// - Returns: The target.
  public static func dns(host: String, port: Int = 443) -> Self {
    Self(host: host, port: port)
  }
}

extension NameResolvers {
  /// Looks names up with the system's resolver, on a thread of its own and never on an event loop.
  public struct DNS: NameResolverFactory {
    typealias Lookup = @Sendable (_ host: String, _ port: Int) async throws -> [SocketAddress]

    private let lookup: Lookup

    /// Makes a factory.
    public init() {
      lookup = AddressLookup.addresses(host:port:)
    }

    init(lookup: @escaping Lookup) {
      self.lookup = lookup
    }

    /// Makes a resolver that looks the name up each time it is asked.
    ///
    /// - Parameter target: The name.
    /// - Returns: The resolver.
    public func resolver(for target: ResolvableTargets.DNS) -> NameResolver {
      let results = AsyncThrowingStream { [lookup] in
        let addresses = try await lookup(target.host, target.port)
        return NameResolutionResult(endpoints: addresses.map { Endpoint(addresses: [$0]) })
      }
      return NameResolver(
        names: RPCAsyncSequence(wrapping: results), updateMode: .pull,
        authority: target.authority)
    }
  }
}
