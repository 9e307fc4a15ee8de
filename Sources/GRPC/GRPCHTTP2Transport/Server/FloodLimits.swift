/// How much a client may do of what costs a server more than itself.
///
/// A connection on which more is done is closed with `ENHANCE_YOUR_CALM`; other connections do not notice. The
/// defaults are far from what any proper client does.
public struct FloodLimits: Hashable, Sendable {
  /// Streams that end by a reset instead of an answer: those that the client resets (CVE-2023-44487) as well as
  /// those that it makes the server reset, by frames that are against the rules or by opening more streams than it
  /// knows that it may.
  public var resets = RateLimit(burst: 1000, perSecond: 200)
  /// PING frames, of those that come while no data is sent.
  public var pings = RateLimit(burst: 100, perSecond: 10)
  /// SETTINGS frames.
  public var settings = RateLimit(burst: 100, perSecond: 10)
  /// WINDOW_UPDATE frames, of those that the client was given no cause for.
  ///
  /// A request is cause for two of them, a DATA frame that the client is sent for ten, and every two bytes in it for
  /// another: it may give its windows back message by message, however small those are.
  public var windowUpdates = RateLimit(burst: 1000, perSecond: 100)
  /// GOAWAY frames.
  public var goAways = RateLimit(burst: 20, perSecond: 1)
  /// Frames that do nothing: empty ones that end nothing, and those of kinds that are ignored.
  public var idleFrames = RateLimit(burst: 1000, perSecond: 100)
  /// CONTINUATION frames in one header block.
  public var continuations = 8

  /// Makes the default limits.
  public init() {}
}
