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
    public var maxHeaderListSize = 16 << 10
    /// How many bytes of a call's request may be on their way before its handler has read some.
    public var initialWindowSize = 256 << 10
    /// How many bytes of a call's response may wait for the client before its handler's writes
    /// wait as well.
    public var maxBufferedResponseBytes = 64 << 10
    /// How long a shutdown waits for open calls before it ends them.
    public var maxDrainTime = Duration.seconds(10)

    /// The limits a server has if nothing is said.
    public static var defaults: Configuration { Configuration() }

    /// Makes a configuration with the defaults.
    public init() {}

    var settings: HTTP2Settings {
      HTTP2Settings(
        maxConcurrentStreams: maxConcurrentStreams, initialWindowSize: initialWindowSize,
        maxHeaderListSize: maxHeaderListSize)
    }
  }
}
