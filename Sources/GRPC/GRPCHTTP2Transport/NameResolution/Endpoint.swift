/// One server, as a resolver found it.
///
/// Endpoints that are equal are the same server: a channel keeps its connection across resolutions.
public struct Endpoint: Sendable, Hashable {
  /// The addresses that lead to the server, in the order in which to try them.
  public var addresses: [SocketAddress]

  /// Tells a server from its predecessor at the same address, where the resolver can.
  ///
  /// When it changes, the channel makes a fresh connection at once, whatever backoff the predecessor's had.
  public var incarnation: SocketFileIdentity?

  /// Makes an endpoint.
  ///
  /// - Parameters:
  ///   - addresses: The addresses that lead to the server, in the order in which to try them.
  ///   - incarnation: Tells the server from its predecessor at the same address.
  public init(addresses: [SocketAddress], incarnation: SocketFileIdentity? = nil) {
    self.addresses = addresses
    self.incarnation = incarnation
  }
}

/// What tells a socket's file from one that had its name before.
///
/// An inode's number may be used again at once, so the time of the last change of its status is part of it.
public struct SocketFileIdentity: Sendable, Hashable {
  var device: UInt64
  var inode: UInt64
  var changeSeconds: Int
  var changeNanoseconds: Int
}
