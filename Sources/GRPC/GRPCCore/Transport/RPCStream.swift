/// A call as a transport sees it: parts in, parts out.
public struct RPCStream<Inbound: AsyncSequence & Sendable, Outbound: ClosableRPCWriterProtocol>:
  Sendable
{
  /// The method that is called.
  public var descriptor: MethodDescriptor
  /// What comes from the peer.
  public var inbound: Inbound
  /// Where to write what goes to the peer.
  public var outbound: Outbound

  /// Creates a stream.
  ///
  /// - Parameters:
  ///   - descriptor: The method that is called.
  ///   - inbound: What comes from the peer.
  ///   - outbound: Where to write what goes to the peer.
  public init(descriptor: MethodDescriptor, inbound: Inbound, outbound: Outbound) {
    self.descriptor = descriptor
    self.inbound = inbound
    self.outbound = outbound
  }
}
