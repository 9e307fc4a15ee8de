/// What a handler may know of its call beside the messages.
public struct ServerContext: Sendable {
  /// What only some transport knows.
  public protocol TransportSpecific: Sendable {}

  /// What the calls of a connection have in common, which their contexts share.
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

  /// What the copies of a context share, of which there are several on a call's way; and the state
  /// of its cancellation, so that a call makes one object for all of it.
  private final class Storage: Cancellation, @unchecked Sendable {
    // `@unchecked` holds because all that is added does not change.
    let connection: Connection
    let descriptor: MethodDescriptor
    let deadline: ContinuousClock.Instant?
    /// A handle that came with the context, and counts instead of the storage's own.
    let handle: RPCCancellationHandle?

    init(
      _ connection: Connection, _ descriptor: MethodDescriptor,
      _ deadline: ContinuousClock.Instant?,
      _ handle: RPCCancellationHandle?, onCancel: (@Sendable () -> Void)? = nil
    ) {
      self.connection = connection
      self.descriptor = descriptor
      self.deadline = deadline
      self.handle = handle
      super.init(onCancel: onCancel)
    }
  }

  private var storage: Storage

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
    let connection = Connection(
      Connection.Ends(
        remotePeer: remotePeer, localPeer: localPeer, transportSpecific: transportSpecific,
        peer: peer))
    storage = Storage(connection, descriptor, deadline, cancellation)
  }

  /// Creates the context of a connection's call, with a cancellation of its own.
  package init(
    descriptor: MethodDescriptor, connection: Connection, deadline: ContinuousClock.Instant?,
    onCancel: @escaping @Sendable () -> Void
  ) {
    storage = Storage(connection, descriptor, deadline, nil, onCancel: onCancel)
  }

  /// The method that was called.
  public var descriptor: MethodDescriptor {
    get { storage.descriptor }
    set { storage = Storage(storage.connection, newValue, deadline, cancellation) }
  }

  /// Tells when the call is cancelled, and cancels it.
  public var cancellation: RPCCancellationHandle {
    get { storage.handle ?? RPCCancellationHandle(storage) }
    set { storage = Storage(storage.connection, descriptor, deadline, newValue) }
  }

  /// When the call must have ended; `nil` where the client set no timeout.
  public var deadline: ContinuousClock.Instant? {
    get { storage.deadline }
    set { storage = Storage(storage.connection, descriptor, newValue, cancellation) }
  }

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
    get { storage.connection.ends }
    set { storage = Storage(Connection(newValue), descriptor, deadline, cancellation) }
  }
}
