/// How a server's sockets listen, beyond their addresses.
public struct ListeningOptions: Sendable {
  /// Whether other processes of the same user may listen on the same port, which the kernel then spreads the
  /// connections over (`SO_REUSEPORT`).
  public var reusesPort = false
  /// Whether a socket on an IPv6 address leaves IPv4 alone; otherwise `ipv6:[::]:PORT` listens for both.
  public var isIPv6Only = false
  /// How many descriptors are left to the rest of the process. While there are no more, a client that connects is
  /// sent away at once: many a program does worse than that when it can open nothing any more.
  public var reservedDescriptors = 32
  /// Called when clients begin to be sent away for want of descriptors; from any thread.
  public var onDescriptorShortage: (@Sendable () -> Void)?
  /// The mode of a Unix domain socket's file, for example `0o660`: who may write may connect. Nil for what the
  /// process's umask leaves.
  public var unixMode: UInt32?
  /// The user who is to own a Unix domain socket's file; nil for the process's own.
  public var unixOwner: UInt32?
  /// The group that is to own a Unix domain socket's file; nil for the process's own.
  public var unixGroup: UInt32?

  /// Makes the default options.
  public init() {}
}
