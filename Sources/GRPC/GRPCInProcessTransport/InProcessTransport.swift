import GRPCCore

/// A client and a server that reach each other inside one process, without a socket.
///
/// ```swift
/// let transport = InProcessTransport()
/// try await withGRPCServer(transport: transport.server, services: [Greeter()]) { _ in
///   try await withGRPCClient(transport: transport.client) { client in … }
/// }
/// ```
///
/// Metadata, messages and statuses arrive as they were sent. Deadlines, cancellation, limits on
/// message sizes and shutdowns are what they are over a connection. Each direction of a call holds
/// at most ``bufferedParts`` parts; a writer that is further ahead waits for the reader. What a service's
/// configuration says of timeouts and limits holds too; there is one server, so that nothing is balanced and every
/// call is made once.
public struct InProcessTransport: Sendable {
  /// How many parts one direction of a call holds that the reader has not taken yet.
  public static let bufferedParts = 16

  /// The server's end.
  public let server: Server
  /// The client's end.
  public let client: Client

  /// Creates both ends.
  ///
  /// - Parameter serviceConfig: What holds for calls of certain methods.
  public init(serviceConfig: ServiceConfig = ServiceConfig()) {
    self.init(serviceConfig: serviceConfig, clock: ContinuousClock())
  }

  /// Creates both ends.
  ///
  /// - Parameters:
  ///   - serviceConfig: What holds for calls of certain methods.
  ///   - clock: Measures timeouts. Deadlines are shown in the time of `ContinuousClock`,
  ///     starting from when the transport is made, whatever this clock's own instants are.
  public init<C: Clock>(
    serviceConfig: ServiceConfig = ServiceConfig(), clock: C
  ) where C.Duration == Duration {
    let link = InProcessLink()
    server = Server(link: link)
    client = Client(
      link: link, clock: DeadlineClock(clock), methodConfigs: MethodConfigs(serviceConfig))
  }
}
