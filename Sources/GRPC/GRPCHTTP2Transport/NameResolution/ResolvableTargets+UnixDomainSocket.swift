import GRPCCore

extension ResolvableTargets {
  /// A Unix domain socket.
  public struct UnixDomainSocket: ResolvableTarget, Hashable, CustomStringConvertible {
    /// The socket's path.
    public var path: String

    /// The `:authority` of calls; `localhost` if nil, since a path is not a valid one.
    public var authority: String?

    /// Makes a target.
    ///
    /// - Parameters:
    ///   - path: The socket's path.
    ///   - authority: The `:authority` of calls; `localhost` if nil.
    public init(path: String, authority: String? = nil) {
      self.path = path
      self.authority = authority
    }

    /// The target as a gRPC name, such as `unix:/run/kart.sock`.
    public var description: String { "unix:\(path)" }
  }
}

extension ResolvableTarget where Self == ResolvableTargets.UnixDomainSocket {
  /// A Unix domain socket.
  ///
  /// - Parameters:
  ///   - path: The socket's path.
  ///   - authority: The `:authority` of calls; `localhost` if nil.
  /// - Returns: The target.
  public static func unixDomainSocket(path: String, authority: String? = nil) -> Self {
    Self(path: path, authority: authority)
  }
}

extension NameResolvers {
  /// Resolves a socket's path to itself.
  public struct UnixDomainSocket: NameResolverFactory {
    /// Makes a factory.
    public init() {}

    /// Makes a resolver with one result.
    ///
    /// - Parameter target: The socket.
    /// - Returns: The resolver.
    public func resolver(for target: ResolvableTargets.UnixDomainSocket) -> NameResolver {
      .fixed([.unixDomainSocket(path: target.path)], authority: target.authority ?? "localhost")
    }
  }
}
