import Synchronization

/// What channelz shows of a process: servers, channels and their connections, each with a number of
/// its own.
///
/// A transport makes these as they are asked for; see ``ChannelzServerSource`` and
/// ``ChannelzChannelSource``.
public enum ChannelzEntity {
  private static let latest = Atomic<Int64>(0)

  /// A number for a new server, channel or connection of this process.
  public static func nextID() -> Int64 {
    latest.wrappingAdd(1, ordering: .relaxed).newValue
  }
}

/// How many calls, or streams, there were.
public struct ChannelzCounts: Sendable, Hashable {
  /// Those that have begun.
  public var started: Int64 = 0
  /// Those that have ended well.
  public var succeeded: Int64 = 0
  /// Those that have ended otherwise.
  public var failed: Int64 = 0
  /// When the last one began, since 1970; `nil` where there was none.
  public var lastStarted: Duration?

  /// Creates counts of zero.
  public init() {}

  /// Adds other counts.
  ///
  /// - Parameter other: The counts.
  public mutating func add(_ other: Self) {
    started += other.started
    succeeded += other.succeeded
    failed += other.failed
    lastStarted = max(lastStarted ?? .zero, other.lastStarted ?? .zero)
    if lastStarted == .zero { lastStarted = nil }
  }
}

/// A connection, or a socket that listens.
public struct ChannelzSocket: Sendable, Hashable {
  /// The socket's number.
  public var id: Int64
  /// This end's address, as a gRPC name; empty where it is not known.
  public var local: String
  /// The other end's address, as a gRPC name; empty for a socket that listens.
  public var remote: String
  /// The streams.
  public var streams = ChannelzCounts()
  /// Whether it is this end that opens streams.
  public var isClient = false
  /// How many messages were sent.
  public var messagesSent: Int64 = 0
  /// How many messages came.
  public var messagesReceived: Int64 = 0
  /// How many keepalive PINGs were sent.
  public var keepAlivesSent: Int64 = 0
  /// How the connection is encrypted; `nil` for one that is not.
  public var security: ChannelzSecurity?
  /// How much the peer may send before more is allowed, in bytes; `nil` where that is not known.
  public var localWindow: Int64?
  /// How much may be sent before the peer allows more, in bytes; `nil` where that is not known.
  public var remoteWindow: Int64?

  /// Creates a socket without a stream.
  ///
  /// - Parameters:
  ///   - id: The socket's number, of ``ChannelzEntity/nextID()``.
  ///   - local: This end's address, as a gRPC name.
  ///   - remote: The other end's address, as a gRPC name.
  public init(id: Int64, local: String, remote: String) {
    self.id = id
    self.local = local
    self.remote = remote
  }
}
