/// What a handler may know of its call beside the messages.
public struct ServerContext: Sendable {
  /// What only some transport knows.
  public protocol TransportSpecific: Sendable {}

  /// What the calls of a connection have in common, which their contexts share: a context is copied
  /// several times on a call's way, and this is most of it.
  package final class Connection: Sendable {
    fileprivate struct Ends {
      var remotePeer: String
      var localPeer: String
      var transportSpecific: (any TransportSpecific)?
      var peer: PeerIdentity?
    }

    fileprivate let ends: Ends

    fileprivate init(_ ends: Ends) { self.ends = ends }

    package convenience init(remotePeer: String, localPeer: String, peer: PeerIdentity?) {
      self.init(Ends(remotePeer: remotePeer, localPeer: localPeer, peer: peer))
    }
  }

  private var connection: Connection
  /// The method that was called.
  public var descriptor: MethodDescriptor
  /// Tells when the call is cancelled, and cancels it.
  public var cancellation: RPCCancellationHandle
  /// When the call must have ended; `nil` where the client set no timeout.
  public var deadline: ContinuousClock.Instant?

  /// The context of the call whose handler runs in this task.
  ///
  /// A client call made in a handler inherits the deadline from here.
  @TaskLocal public static var current: ServerContext?

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - descriptor: The method that was called.
  ///   - remotePeer: The client's address, as a gRPC name.
  ///   - localPeer: The address that the client reached, as a gRPC name.
  ///   - transportSpecific: What only this transport knows.
  ///   - cancellation: Tells when the call is cancelled.
  ///   - deadline: When the call must have ended.
  ///   - peer: Who the client is.
  public init(
    descriptor: MethodDescriptor, remotePeer: String, localPeer: String,
    transportSpecific: (any TransportSpecific)? = nil, cancellation: RPCCancellationHandle,
    deadline: ContinuousClock.Instant? = nil, peer: PeerIdentity? = nil
  ) {
    connection = Connection(
      Connection.Ends(
        remotePeer: remotePeer, localPeer: localPeer, transportSpecific: transportSpecific,
        peer: peer))
    self.descriptor = descriptor
    self.cancellation = cancellation
    self.deadline = deadline
  }

  package init(
    descriptor: MethodDescriptor, connection: Connection, cancellation: RPCCancellationHandle,
    deadline: ContinuousClock.Instant?
  ) {
    self.connection = connection
    self.descriptor = descriptor
    self.cancellation = cancellation
    self.deadline = deadline
  }
}

extension ServerContext {
  /// The client's address, as a gRPC name such as `ipv4:127.0.0.1:50000`.
  public var remotePeer: String {
    get { ends.remotePeer }
    set { ends.remotePeer = newValue }
  }

  /// The address that the client reached, as a gRPC name.
  public var localPeer: String {
    get { ends.localPeer }
    set { ends.localPeer = newValue }
  }

  /// What only this transport knows.
  public var transportSpecific: (any TransportSpecific)? {
    get { ends.transportSpecific }
    set { ends.transportSpecific = newValue }
  }

  /// Who the client is, where the transport knows.
  public var peer: PeerIdentity? {
    get { ends.peer }
    set { ends.peer = newValue }
  }

  private var ends: Connection.Ends {
    get { connection.ends }
    set { connection = Connection(newValue) }
  }
}
