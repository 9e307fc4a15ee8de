/// What a client may know of its call beside the messages.
public struct ClientContext: Sendable {
  /// The method that is called.
  public var descriptor: MethodDescriptor
  /// Whom the call is for, as a gRPC name such as `unix:/run/kart/schedule.sock`.
  ///
  /// The context is there before a connection is chosen for the call. Over HTTP/2 this is therefore the client's target,
  /// which may stand for many servers, and not the address of the one that answers.
  public var remotePeer: String
  /// The client's own address, as a gRPC name; empty where it depends on the connection, as over HTTP/2.
  public var localPeer: String

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - descriptor: The method that is called.
  ///   - remotePeer: The server's address or the client's target, as a gRPC name.
  ///   - localPeer: The client's own address, as a gRPC name; empty if it is not known.
  public init(descriptor: MethodDescriptor, remotePeer: String, localPeer: String) {
    self.descriptor = descriptor
    self.remotePeer = remotePeer
    self.localPeer = localPeer
  }
}
