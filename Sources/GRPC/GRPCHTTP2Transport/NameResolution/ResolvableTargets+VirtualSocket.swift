import GRPCCore

extension ResolvableTargets {
  /// A virtual socket.
  public struct VirtualSocket: ResolvableTarget, Hashable, CustomStringConvertible {
    /// The socket's address.
    public var address: SocketAddress.VirtualSocket

    /// Makes a target.
    ///
    /// - Parameter address: The socket's address.
    public init(address: SocketAddress.VirtualSocket) {
      self.address = address
    }

    /// The target as a gRPC name, such as `vsock:3:5000`.
    public var description: String { "\(address)" }
  }

  /// An abstract Unix domain socket.
  public struct AbstractSocket: ResolvableTarget, Hashable, CustomStringConvertible {
    /// The socket's address.
    public var address: SocketAddress.AbstractSocket

    /// Makes a target.
    ///
    /// - Parameter address: The socket's address.
    public init(address: SocketAddress.AbstractSocket) {
      self.address = address
    }

    /// The target as a gRPC name, such as `unix-abstract:kart`.
    public var description: String { "unix-abstract:\(address.name)" }
  }
}

extension ResolvableTarget where Self == ResolvableTargets.VirtualSocket {
  /// A virtual socket.
  ///
  /// - Parameters:
  ///   - contextID: The machine.
  ///   - port: The port.
  /// - Returns: The target.
  public static func vsock(
    contextID: SocketAddress.VirtualSocket.ContextID, port: SocketAddress.VirtualSocket.Port
  ) -> Self {
    Self(address: SocketAddress.VirtualSocket(contextID: contextID, port: port))
  }
}

extension NameResolvers {
  /// Resolves a virtual socket to itself.
  public struct VirtualSocket: NameResolverFactory {
    /// Makes a factory.
    public init() {}

    /// Makes a resolver that pushes the socket once.
    ///
    /// - Parameter target: The socket.
    /// - Returns: The resolver.
    public func resolver(for target: ResolvableTargets.VirtualSocket) -> NameResolver {
      .fixed([SocketAddress(target.address)], authority: "localhost")
    }
  }

  /// Resolves an abstract socket to itself.
  public struct AbstractSocket: NameResolverFactory {
    /// Makes a factory.
    public init() {}

    /// Makes a resolver that pushes the socket once.
    ///
    /// - Parameter target: The socket.
    /// - Returns: The resolver.
    public func resolver(for target: ResolvableTargets.AbstractSocket) -> NameResolver {
      .fixed([SocketAddress(target.address)], authority: "localhost")
    }
  }
}
