import CNghttp2

/// Counts a client's frames against the ``FloodLimits``.
struct FloodGuard {
  /// What there was too much of; said in the GOAWAY.
  enum Flood: String {
    case resets = "too_many_resets"
    case pings = "too_many_pings"
    case settings = "too_many_settings"
    case windowUpdates = "too_many_window_updates"
    case goAways = "too_many_goaways"
    case idleFrames = "too_many_idle_frames"
    case continuations = "too_many_continuations"
  }

  /// The buckets, made when the first frame comes that is counted: most connections never send one.
  private struct Buckets {
    var resets: TokenBucket
    var pings: TokenBucket
    var settings: TokenBucket
    var windowUpdates: TokenBucket
    var goAways: TokenBucket
    var idleFrames: TokenBucket
  }

  private let limits: FloodLimits
  private var buckets: Buckets?
  private var continuations = 0
  private var headerBlocks = 0
  /// Those that the client had cause for.
  private var windowUpdates = 0

  init(_ limits: FloodLimits) {
    self.limits = limits
  }

  /// Takes a frame that the client has sent.
  ///
  /// - Parameters:
  ///   - frame: Its header.
  ///   - hasSentData: Whether the client was sent any headers or data since its last PING.
  ///   - sent: The data that it was sent in all.
  ///   - now: The time, which few frames need.
  /// - Returns: What there is too much of with it.
  mutating func didReceive(
    _ frame: FrameScanner.Header, hasSentData: Bool, sent: HTTP2Session.SentData,
    at now: () -> ContinuousClock.Instant
  ) -> Flood? {
    let isAnswer = frame.has(NGHTTP2_FLAG_ACK)
    switch UInt32(frame.type) {
    case NGHTTP2_DATA.rawValue:
      guard frame.length == 0, !frame.has(NGHTTP2_FLAG_END_STREAM) else { return nil }
    case NGHTTP2_HEADERS.rawValue:
      continuations = 0
      headerBlocks += 1
      guard frame.length == 0 else { return nil }
    case NGHTTP2_CONTINUATION.rawValue:
      continuations += 1
      guard continuations <= limits.continuations else { return .continuations }
      guard frame.length == 0 else { return nil }
    case NGHTTP2_RST_STREAM.rawValue:
      return take(\.resets, at: now()) ? nil : .resets
    case NGHTTP2_SETTINGS.rawValue:
      return isAnswer || take(\.settings, at: now()) ? nil : .settings
    case NGHTTP2_PING.rawValue:
      return isAnswer || hasSentData || take(\.pings, at: now()) ? nil : .pings
    case NGHTTP2_WINDOW_UPDATE.rawValue:
      guard windowUpdates >= 2 * headerBlocks + 10 * sent.frames + sent.bytes / 2 else {
        windowUpdates += 1
        return nil
      }
      return take(\.windowUpdates, at: now()) ? nil : .windowUpdates
    case NGHTTP2_GOAWAY.rawValue:
      return take(\.goAways, at: now()) ? nil : .goAways
    default:
      break
    }
    return take(\.idleFrames, at: now()) ? nil : .idleFrames
  }

  /// Takes a reset that the client made the server send.
  mutating func didProvokeReset(at now: ContinuousClock.Instant) -> Flood? {
    take(\.resets, at: now) ? nil : .resets
  }

  private mutating func take(
    _ bucket: WritableKeyPath<Buckets, TokenBucket>, at now: ContinuousClock.Instant
  ) -> Bool {
    var all =
      buckets
      ?? Buckets(
        resets: TokenBucket(limits.resets, at: now), pings: TokenBucket(limits.pings, at: now),
        settings: TokenBucket(limits.settings, at: now),
        windowUpdates: TokenBucket(limits.windowUpdates, at: now),
        goAways: TokenBucket(limits.goAways, at: now),
        idleFrames: TokenBucket(limits.idleFrames, at: now))
    defer { buckets = all }
    return all[keyPath: bucket].take(at: now)
  }
}
