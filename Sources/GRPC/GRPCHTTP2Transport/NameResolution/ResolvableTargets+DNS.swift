import GRPCCore
import Synchronization

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
  ///
  /// The service's configuration may be in a TXT record of `_grpc_config.HOST`; see gRPC's proposal A2.
  public struct DNS: NameResolverFactory {
    typealias Lookup = @Sendable (_ host: String, _ port: Int) async throws -> [SocketAddress]
    typealias TextLookup = @Sendable (_ name: String) async throws -> [String]

    private let lookup: Lookup
    /// Nil if the service's configuration is not looked for.
    private let textLookup: TextLookup?
    private let client: ServiceConfigChoice.Client
    /// Kept for longer than a resolver, of which there is another one after each failed lookup.
    private let last = LastConfigs()

    /// Makes a factory.
    ///
    /// - Parameter usesServiceConfig: Whether to look for the service's configuration as well. Where it has several
    ///   of which each is for a part of the clients, a factory's resolvers are all in the same part.
    public init(usesServiceConfig: Bool = false) {
      let textLookup: TextLookup = { name in try await TextRecords.lookUp(name) }
      self.init(
        lookup: AddressLookup.addresses(host:port:),
        textLookup: usesServiceConfig ? textLookup : nil)
    }

    init(
      lookup: @escaping Lookup, textLookup: TextLookup? = nil,
      client: ServiceConfigChoice.Client = .current()
    ) {
      self.lookup = lookup
      self.textLookup = textLookup
      self.client = client
    }

    /// Makes a resolver that looks the name up each time it is asked.
    ///
    /// - Parameter target: The name.
    /// - Returns: The resolver.
    public func resolver(for target: ResolvableTargets.DNS) -> NameResolver {
      let results = AsyncThrowingStream {
        async let config = serviceConfig(of: target.host)
        let addresses = try await lookup(target.host, target.port)
        return NameResolutionResult(
          endpoints: addresses.map { Endpoint(addresses: [$0]) }, serviceConfig: await config)
      }
      return NameResolver(
        names: RPCAsyncSequence(wrapping: results), updateMode: .pull,
        authority: target.authority)
    }

    private func serviceConfig(of host: String) async -> Result<ServiceConfig, RPCError>? {
      guard let textLookup, !isAddress(host) else { return nil }
      guard let texts = try? await textLookup("_grpc_config.\(host)") else {
        // Addresses are of use without a configuration that is out of reach.
        return last.configs.withLock { $0[host] }
      }
      let config = ServiceConfigChoice.config(in: texts, for: client)
      last.configs.withLock { $0[host] = config }
      return config
    }

    private func isAddress(_ host: String) -> Bool {
      host.contains(":") || (try? SocketAddress(parsing: "ipv4:\(host):1")) != nil
    }
  }
}

/// What was found last, by the host.
private final class LastConfigs: Sendable {
  let configs = Mutex<[String: Result<ServiceConfig, RPCError>]>([:])
}
