import CLinux

extension SocketAddress {
  /// A virtual socket, between a host and its virtual machines (`AF_VSOCK`).
  public struct VirtualSocket: Hashable, Sendable {
    /// A machine, as seen by its neighbours.
    public struct ContextID: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral {
      /// The number.
      public var rawValue: UInt32

      /// Makes a context ID of its number.
      public init(rawValue: UInt32) {
        self.rawValue = rawValue
      }

      /// Makes a context ID of its number.
      public init(integerLiteral value: UInt32) {
        rawValue = value
      }

      /// Any of this machine's: for a server that listens.
      public static let any = ContextID(rawValue: virtual_socket_any_context)
      /// The hypervisor.
      public static let hypervisor: ContextID = 0
      /// This machine itself.
      public static let local: ContextID = 1
      /// The machine that runs this one.
      public static let host: ContextID = 2
    }

    /// A port, of which there are 2³².
    public struct Port: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral {
      /// The number.
      public var rawValue: UInt32

      /// Makes a port of its number.
      public init(rawValue: UInt32) {
        self.rawValue = rawValue
      }

      /// Makes a port of its number.
      public init(integerLiteral value: UInt32) {
        rawValue = value
      }

      /// Any that is free: for a server that listens.
      public static let any = Port(rawValue: virtual_socket_any_port)
    }

    /// The machine.
    public var contextID: ContextID
    /// The port.
    public var port: Port

    /// Makes an address.
    ///
    /// - Parameters:
    ///   - contextID: The machine.
    ///   - port: The port.
    public init(contextID: ContextID, port: Port) {
      self.contextID = contextID
      self.port = port
    }
  }

  /// The virtual socket, if it is one.
  public var virtualSocket: VirtualSocket? {
    if case .virtualSocket(let address) = family { address } else { nil }
  }

  /// Makes an address of a virtual socket.
  public init(_ address: VirtualSocket) {
    self.init(family: .virtualSocket(address))
  }

  /// A virtual socket.
  ///
  /// - Parameters:
  ///   - contextID: The machine.
  ///   - port: The port.
  public static func vsock(
    contextID: VirtualSocket.ContextID, port: VirtualSocket.Port
  ) -> SocketAddress {
    SocketAddress(VirtualSocket(contextID: contextID, port: port))
  }
}

extension SocketAddress.VirtualSocket: CustomStringConvertible {
  /// The address as a gRPC name: `vsock:3:5000`, or `vsock::5000` for any context ID.
  public var description: String {
    "vsock:\(contextID == .any ? "" : "\(contextID.rawValue)"):\(port.rawValue)"
  }

  /// Reads what follows the scheme: `CID:PORT`, or `:PORT` for any context ID.
  init?(parsing text: Substring) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let port = Self.number(parts[1]) else { return nil }
    self.port = Port(rawValue: port)
    if parts[0].isEmpty {
      contextID = .any
    } else {
      guard let number = Self.number(parts[0]) else { return nil }
      contextID = ContextID(rawValue: number)
    }
  }

  private static func number(_ text: Substring) -> UInt32? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt32(text) : nil
  }
}
