/// A server, as channelz shows it.
public struct ChannelzServer: Sendable, Hashable {
  /// The server's number.
  public var id: Int64
  /// The calls of all its connections, those that are closed included.
  public var calls = ChannelzCounts()
  /// Where it listens.
  public var listeners: [ChannelzSocket] = []
  /// Its connections.
  public var connections: [ChannelzSocket] = []

  /// Creates a server without a call.
  ///
  /// - Parameter id: The server's number, of ``ChannelzEntity/nextID()``.
  public init(id: Int64) {
    self.id = id
  }
}

/// A server transport that can tell channelz what it does.
public protocol ChannelzServerSource: Sendable {
  /// The server as it is now.
  func channelzServer() async -> ChannelzServer
}
