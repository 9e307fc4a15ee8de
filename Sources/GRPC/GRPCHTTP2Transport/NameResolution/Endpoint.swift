/// One server, as a resolver found it.
///
/// Endpoints with the same addresses and incarnation are the same server: a channel keeps its connection across
/// resolutions, whatever else has changed.
public struct Endpoint: Sendable, Hashable {
  /// The addresses that lead to the server, in the order in which to try them.
  public var addresses: [SocketAddress]

  /// Tells a server from its predecessor at the same address, where the resolver can.
  ///
  /// When it changes, the channel makes a fresh connection at once, whatever backoff the predecessor's had.
  public var incarnation: SocketFileIdentity?

  /// How many calls the server should get, beside the others' weights; at least 1.
  public var weight: Int

  /// Which servers to use first: those with the lowest number, from 0 on.
  public var priority: Int

  /// Where the server is, as a cloud's zone; empty if it does not matter.
  public var zone: String

  /// Makes an endpoint.
  ///
  /// - Parameters:
  ///   - addresses: The addresses that lead to the server, in the order in which to try them.
  ///   - incarnation: Tells the server from its predecessor at the same address.
  ///   - weight: How many calls the server should get, beside the others' weights; at least 1.
  ///   - priority: Which servers to use first: those with the lowest number, from 0 on.
  ///   - zone: Where the server is, as a cloud's zone.
  public init(
    addresses: [SocketAddress], incarnation: SocketFileIdentity? = nil, weight: Int = 1,
    priority: Int = 0, zone: String = ""
  ) {
    self.addresses = addresses
    self.incarnation = incarnation
    self.weight = max(1, weight)
    self.priority = max(0, priority)
    self.zone = zone
  }

  var identity: EndpointIdentity {
    EndpointIdentity(addresses: addresses, incarnation: incarnation)
  }
}

/// What makes two endpoints the same server.
struct EndpointIdentity: Hashable, Sendable {
  var addresses: [SocketAddress]
  var incarnation: SocketFileIdentity?
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
