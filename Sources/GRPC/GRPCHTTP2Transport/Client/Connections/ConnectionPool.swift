import EventLoop
import GRPCCore

/// Connections that channels share.
///
/// Channels with the same pool have one connection to an address between them, if they would make the same ones: the
/// address, the `:authority`, the security and all settings of connections have to be equal, and a dialer has to be
/// `Hashable`. Each has its own load balancing and checks its servers' health for itself. They all live on the pool's
/// event loop.
///
/// A connection lasts for as long as one of the channels wants it. A channel that is shut down waits for its own
/// calls, and one that is cancelled fails its own; those of the others go on.
///
/// `@unchecked Sendable` holds because all mutable state is touched on the loop alone.
public final class ConnectionPool: @unchecked Sendable {
  /// What has to be equal for two channels to share a connection.
  struct Key: Hashable {
    let address: SocketAddress
    let incarnation: SocketFileIdentity?
    let authority: String
    let security: ClientSecurity.Identity?
    private let dialer: AnyHashable?
    private let backoff: ConnectionBackoff
    private let connectTimeout: Duration
    private let keepalive: Keepalive?
    private let encodings: CompressionAlgorithmSet
    private let windows: [Int]
    private let maxMetadataBytes: Int

    /// Nil for connections that cannot be told from others.
    init?(
      _ address: SocketAddress, of endpoint: Endpoint, authority: String,
      security: ClientSecurity.Identity?, _ configuration: HTTP2ClientTransport.Configuration
    ) {
      if let dialer = configuration.dialer {
        guard let hashable = dialer as? any Hashable else { return nil }
        self.dialer = AnyHashable(hashable)
      } else {
        dialer = nil
      }
      self.address = address
      incarnation = endpoint.incarnation
      self.authority = authority
      self.security = security
      backoff = configuration.backoff
      connectTimeout = configuration.connectTimeout
      keepalive = configuration.keepalive
      encodings = configuration.compression.enabledAlgorithms
      windows = [
        configuration.initialWindowBytes, configuration.maxWindowBytes,
        configuration.connectionWindowBytes,
      ]
      maxMetadataBytes = configuration.maxMetadataBytes
    }
  }

  /// The loop that carries the connections, and the channels that share them.
  public let eventLoop: EventLoop
  private var connections: [Key: AddressConnection] = [:]

  /// Makes an empty pool.
  ///
  /// - Parameter eventLoops: One of these loops carries the connections.
  public init(eventLoops: EventLoopGroup = .shared) {
    eventLoop = eventLoops.next()
  }

  /// How many addresses there are connections to, or attempts to connect. Only on the loop.
  var count: Int { connections.count }

  /// The connection to an address. Only on the loop.
  func connection(_ key: Key, backoff: ConnectionBackoff) -> AddressConnection {
    if let connection = connections[key] { return connection }
    let connection = AddressConnection(
      to: key.address, backoff: backoff, isShared: true, on: eventLoop
    ) { [weak self] in self?.connections[key] = nil }
    connections[key] = connection
    return connection
  }
}
