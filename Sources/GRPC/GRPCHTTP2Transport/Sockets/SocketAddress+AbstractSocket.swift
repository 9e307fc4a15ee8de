extension SocketAddress {
  /// A Unix domain socket that has a name of its own instead of a path, and goes with the last process that has
  /// it open.
  ///
  /// Whoever shares the network namespace may connect to it: it has no mode and no owner.
  public struct AbstractSocket: Hashable, Sendable {
    /// The name.
    public var name: String

    /// Makes an address of a name.
    ///
    /// - Parameter name: The name, at most 107 bytes.
    public init(name: String) {
      self.name = name
    }
  }

  /// The abstract socket, if it is one.
  public var abstractSocket: AbstractSocket? {
    if case .abstractSocket(let address) = family { address } else { nil }
  }

  /// Makes an address of an abstract socket.
  public init(_ address: AbstractSocket) {
    self.init(family: .abstractSocket(address))
  }

  /// An abstract Unix domain socket.
  ///
  /// - Parameter name: The name, at most 107 bytes.
  public static func unixAbstract(name: String) -> SocketAddress {
    SocketAddress(AbstractSocket(name: name))
  }
}
