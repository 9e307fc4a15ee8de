import GRPCCore

/// What a channel knows at one moment: where it could send calls, and how that has gone so far.
///
/// The counts begin with the channel, and those of an address when the resolver first found it: they go on when another
/// server takes its place there, soon or later. Those of connections that are shared begin when the first channel found
/// the server. Their names are those of gRPC's proposals A66, A91, A94 and A96.
public struct ChannelStatus: Sendable {
  /// What the channel connects to.
  public var target: String
  /// The channel's state.
  public var state: ConnectivityState
  /// The name of the load-balancing policy, as `round_robin`.
  public var policy: String
  /// How many calls wait for a connection, or to be made again.
  public var waitingCalls: Int
  /// How many attempts were sent to servers: `grpc.client.attempt.started`.
  public var attemptsStarted: Int
  /// How many attempts were made because one before had failed: `grpc.client.call.retries`.
  public var retries: Int
  /// How many attempts were made since no server had acted on the one before: `grpc.client.call.transparent_retries`.
  public var transparentRetries: Int
  /// How many attempts were made beside others: `grpc.client.call.hedges`.
  public var hedges: Int
  /// How often an endpoint was taken out: `grpc.lb.outlier_detection.ejections_enforced`.
  public var ejections: Int
  /// What the load-balancing policy, and those of its kind before it, have counted, as how often they have taken
  /// endpoints out for which reason.
  public var policyCounters: [LoadBalancingCounter: Int]
  /// The endpoints, in the resolver's order; nil before it has found any.
  public var endpoints: [Endpoint]?

  /// An endpoint, and the ways to it.
  public struct Endpoint: Sendable {
    /// The endpoint, as the resolver found it.
    public var endpoint: GRPCHTTP2Transport.Endpoint
    /// The ways there, one for each of its addresses.
    public var subchannels: [Subchannel]
  }

  /// The way to one address.
  public struct Subchannel: Sendable {
    /// The address.
    public var address: SocketAddress
    /// Whether calls can be sent; a server that does not report that it serves is a failure.
    public var state: ConnectivityState
    /// Whether the policy has taken it out because too many of its calls fail.
    public var isEjected: Bool
    /// Why the last attempt to connect failed, or the connection is of no use.
    public var failure: RPCError?
    /// How many calls were sent here.
    public var picks: Int
    /// How many of them failed, with whatever status; those that this side gave up do not count.
    public var failedCalls: Int
    /// How often it was taken out.
    public var ejections: Int
    /// How many connections were made: `grpc.subchannel.connection_attempts_succeeded`.
    public var connectionsMade: Int
    /// How many could not be: `grpc.subchannel.connection_attempts_failed`.
    public var connectionsFailed: Int
    /// How many of those that were made take no calls any more: `grpc.subchannel.disconnections`.
    public var disconnections: Int
    /// The same by the reason, `grpc.disconnect_error`, as `GOAWAY NO_ERROR` or `connection reset`.
    public var disconnectErrors: [String: Int]
    /// How many there are, those included that only finish their calls: `grpc.subchannel.open_connections`.
    public var openConnections: Int
  }
}

extension HTTP2ClientTransport {
  /// What the channel knows now.
  public var status: ChannelStatus {
    get async {
      let target = targetName
      return await withUnsafeContinuation { continuation in
        channel.tell { continuation.resume(returning: $0.status(of: target)) }
      }
    }
  }
}
