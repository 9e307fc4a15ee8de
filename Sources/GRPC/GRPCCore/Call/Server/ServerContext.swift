/// What a handler may know of its call beside the messages.
public struct ServerContext: Sendable {
  /// What only some transport knows.
  public protocol TransportSpecific: Sendable {}

  /// The method that was called.
  public var descriptor: MethodDescriptor
  /// The client's address, as a gRPC name such as `ipv4:127.0.0.1:50000`.
  public var remotePeer: String
  /// The address that the client reached, as a gRPC name.
  public var localPeer: String
  /// What only this transport knows.
  public var transportSpecific: (any TransportSpecific)?
  /// Tells when the call is cancelled, and cancels it.
  public var cancellation: RPCCancellationHandle
  /// When the call must have ended; `nil` where the client set no timeout.
  public var deadline: ContinuousClock.Instant?
  /// Who the client is, where the transport knows.
  public var peer: PeerIdentity?

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
    self.descriptor = descriptor
    self.remotePeer = remotePeer
    self.localPeer = localPeer
    self.transportSpecific = transportSpecific
    self.cancellation = cancellation
    self.deadline = deadline
    self.peer = peer
  }
}
