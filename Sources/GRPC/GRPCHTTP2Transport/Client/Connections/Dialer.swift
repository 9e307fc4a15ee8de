import EventLoop

/// A caller's own way to make a channel's connections: through a proxy, a tunnel, or a process that hands over
/// sockets.
///
/// The channel keeps its backoff, its balancing and, with TLS, its encryption; a dialer only connects.
public protocol Dialer: Sendable {
  /// Connects.
  ///
  /// The task is cancelled when the channel gives up: after its `connectTimeout`, or at shutdown.
  ///
  /// - Parameters:
  ///   - address: Which of the target's addresses to connect to.
  ///   - eventLoop: The loop that will carry the connection, on which the dialer may wait.
  /// - Returns: A connected stream socket, which is the channel's from then on.
  /// - Throws: Why there is no connection; calls fail with the error's description.
  func dial(_ address: SocketAddress, on eventLoop: EventLoop) async throws -> Int32
}

extension Dialer where Self == ForwardedVsockDialer {
  /// Reaches a port of a virtual machine through the Unix socket of its monitor.
  ///
  /// - Parameter port: The vsock port on which the server in the machine listens.
  /// - Returns: The dialer.
  public static func forwardedVsock(port: UInt32) -> ForwardedVsockDialer {
    ForwardedVsockDialer(port: port)
  }
}
