import GRPCCore

extension HTTP2ClientTransport {
  /// How a channel connects and what it allows.
  public struct Configuration: Sendable {
    /// Which endpoints are connected to, and which of them gets each call.
    public var loadBalancing: any LoadBalancingPolicy = PickFirst()

    /// What the service's owner wants of its clients, if the resolver does not say otherwise.
    public var serviceConfig: ServiceConfig?

    /// The load-balancing policies that a service's configuration may name.
    public var loadBalancingPolicies = LoadBalancingPolicyRegistry.defaults

    /// How many bytes of a call's requests are kept, until its response begins, so that it can be made again; with
    /// more it is made once. Each message counts as 64 bytes more than it has.
    public var retryBufferBytes: Int = 256 << 10

    /// Makes the connections; the channel itself does if nil.
    public var dialer: (any Dialer)?

    /// Holds the connections that are shared with other channels; the channel has its own if nil. The channel then
    /// lives on the pool's event loop.
    public var connectionPool: ConnectionPool?

    /// The `:authority` of calls, and with TLS the name to verify; the target's own if nil.
    public var authority: String?

    /// How long the channel may be without calls before it is idle; it never is if nil.
    ///
    /// An idle channel has closed its connections and does not resolve its target. The next call makes it do both again,
    /// and waits for that. Whether there are calls is looked for so seldom that the channel may be idle an eighth of
    /// the time later. See gRPC's "Connectivity Semantics and API".
    public var idleTimeout: Duration? = .seconds(30 * 60)

    /// How long to wait between attempts to connect.
    public var backoff = ConnectionBackoff()

    /// How long an attempt to connect may take, the exchange of settings included.
    public var connectTimeout: Duration = .seconds(20)

    /// When to ask a silent server whether it is still there; never if nil.
    public var keepalive: Keepalive?

    /// How long to wait at least between two lookups of a name.
    public var minimumResolutionInterval: Duration = .seconds(30)

    /// The largest response message, in bytes, of calls whose options do not say.
    public var maxResponseMessageBytes: Int = 4 << 20

    /// The largest request message, in bytes, of calls whose options do not say; `nil` sets no limit.
    public var maxRequestMessageBytes: Int?

    /// How messages are compressed.
    public var compression = Compression.defaults

    /// How many bytes of a call's requests may wait to be sent before its writer is suspended.
    public var outboundBufferBytes: Int = 64 << 10

    /// How many bytes a server may send on a call before some were read.
    public var initialWindowBytes: Int = 256 << 10

    /// What that may become as a connection turns out to carry more in one round trip. No more than
    /// ``initialWindowBytes`` fixes it.
    ///
    /// A call whose response is not read holds no more than this and one message, whatever its server sends.
    public var maxWindowBytes: Int = 4 << 20

    /// How many bytes a server may send on all calls of a connection together before some were taken in.
    public var connectionWindowBytes: Int = 1 << 20

    /// The largest block of metadata to accept, in bytes.
    public var maxMetadataBytes: Int = 16 << 10

    /// See every attempt of every call, the outermost first.
    public var attemptInterceptors: [any CallAttemptInterceptor] = []

    /// Whether how long calls take and how large they are is measured; see ``HTTP2ClientTransport/metrics``.
    public var measuresCalls = false

    /// Whether the service's configuration is looked for in the TXT records of a `dns:` target, where a whole fleet's
    /// can be changed (gRPC's proposal A2). Of no effect with a registry of one's own.
    public var usesDNSServiceConfig = false

    /// The resolvers of targets; those that every channel knows if nil.
    public var resolverRegistry: NameResolverRegistry?

    /// The values above.
    public static var defaults: Configuration { Configuration() }

    /// Makes a configuration of default values.
    public init() {}
  }
}
