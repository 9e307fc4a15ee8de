extension HTTP2ServerTransport {
  /// The limits of a server, for each connection unless it says otherwise.
  public struct Configuration: Sendable {
    /// The largest request message, in bytes; a larger one fails its call with
    /// `resourceExhausted`.
    public var maxRequestMessageBytes = 4 << 20
    /// The largest response message, in bytes; a larger one fails its call with
    /// `resourceExhausted`. `nil` sets no limit.
    public var maxResponseMessageBytes: Int?
    /// How messages are compressed.
    public var compression = Compression.defaults
    /// How many calls a client may have open on a connection. It is told, and a call beyond it is
    /// refused, which leaves the client free to try again.
    public var maxConcurrentStreams = 100
    /// The largest header list of a request, in bytes as RFC 9113, section 6.5.2, counts them; a
    /// larger one fails its call with `resourceExhausted`.
    public var maxMetadataBytes = 16 << 10
    /// How many bytes of a call's request may be on their way before its handler has read some.
    public var initialWindowBytes = 256 << 10
    /// What that may become, in bytes, as a connection turns out to carry more in one round trip. No more than
    /// ``initialWindowBytes`` fixes it.
    ///
    /// A call whose handler does not read holds no more than this and one message, whatever its client sends.
    public var maxWindowBytes = 4 << 20
    /// How many bytes of all requests of a connection may be on their way before the server has taken them in.
    public var connectionWindowBytes = 1 << 20
    /// How many bytes of a call's response may wait for the client before its handler's writes
    /// wait as well.
    public var outboundBufferBytes = 64 << 10

    /// Whether how long calls take and how large they are is measured; see ``HTTP2ServerTransport/metrics``.
    public var measuresCalls = false

    /// How its sockets listen, beyond their addresses.
    public var listening = ListeningOptions()
    /// How many connections the server has at most, besides those that were adopted; one beyond is closed as soon as
    /// it is accepted. Nil for any number.
    public var maxConnections: Int?
    /// How long a client may be without a call before it is sent away; nil for ever. One that was adopted stays.
    public var maxConnectionIdle: Duration?
    /// How old a connection may grow, 10 % more or less, before its client is asked for another; nil for any age.
    /// Replicas that have joined later get their share of calls this way. One that was adopted stays.
    public var maxConnectionAge: Duration?
    /// How long the calls on a connection that is too old have until they are ended; nil for as long as they need.
    public var maxConnectionAgeGrace: Duration?
    /// How long a shutdown waits for open calls before it ends them.
    public var maxDrainTime = Duration.seconds(10)

    /// How long a client has to show that it knows that its connection is given up. After that, calls it has opened
    /// meanwhile are still served, and later ones are not.
    var announcementTime = Duration.seconds(5)

    /// How long a client may take until it has said that it speaks HTTP/2. One that was adopted may take any time.
    public var handshakeTimeout = Duration.seconds(10)
    /// How long a client may take to send the headers of a request once it has begun.
    public var headerTimeout = Duration.seconds(10)
    /// When a silent client is asked whether it is still there; nil for never. One that was adopted is asked once it
    /// has said that it speaks HTTP/2.
    public var keepalive: Keepalive? = Keepalive(
      time: .seconds(2 * 60 * 60), timeout: .seconds(20), permitWithoutCalls: true)
    /// How often a client may ask the same of the server.
    public var pingPolicy = PingPolicy()
    /// How much a client may do of what costs the server more than itself.
    public var floodLimits = FloodLimits()

    /// The limits a server has if nothing is said.
    public static var defaults: Configuration { Configuration() }

    /// Makes a configuration with the defaults.
    public init() {}

    var settings: HTTP2Settings {
      HTTP2Settings(
        maxConcurrentStreams: maxConcurrentStreams, initialWindowSize: initialWindowBytes,
        maxWindowSize: maxWindowBytes, connectionWindowSize: connectionWindowBytes,
        maxHeaderListSize: maxMetadataBytes)
    }
  }
}
