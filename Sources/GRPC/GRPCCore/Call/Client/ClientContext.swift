/// What a client may know of its call beside the messages.
public struct ClientContext: Sendable {
  /// The method that is called.
  public var descriptor: MethodDescriptor
  /// The server's address, as a gRPC name such as `unix:/run/kart/schedule.sock`.
  public var remotePeer: String
  /// The client's own address, as a gRPC name.
  public var localPeer: String

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - descriptor: The method that is called.
  ///   - remotePeer: The server's address, as a gRPC name.
  ///   - localPeer: The client's own address, as a gRPC name.
  public init(descriptor: MethodDescriptor, remotePeer: String, localPeer: String) {
    self.descriptor = descriptor
    self.remotePeer = remotePeer
    self.localPeer = localPeer
  }
}
