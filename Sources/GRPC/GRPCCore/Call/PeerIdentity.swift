/// Who is at the other end of a connection, as the kernel or a certificate's authority vouches for it.
public enum PeerIdentity: Sendable, Hashable {
  /// A process of this machine, at a Unix domain socket: its user, its group and its number when it
  /// connected, which is 0 where it has none here, as in a container beside ours.
  case process(userID: UInt32, groupID: UInt32, processID: Int32)
  /// A virtual machine, or the host of this one, at a virtual socket: its context ID.
  case virtualMachine(contextID: UInt32)
  /// Whoever has the key of a certificate that was verified.
  case certificate(PeerCertificate)
}
