/// Whether a channel, or a part of it, is connected; see gRPC's "Connectivity Semantics and API".
public enum ChannelzConnectivity: Sendable, Hashable {
  case idle
  case connecting
  case ready
  case transientFailure
  case shutdown
}

/// A client's channel, as channelz shows it.
public struct ChannelzChannel: Sendable, Hashable {
  /// The channel's number.
  public var id: Int64
  /// What it connects to.
  public var target: String
  /// Whether it is connected.
  public var connectivity: ChannelzConnectivity
  /// Its calls.
  public var calls = ChannelzCounts()
  /// Its ways to single addresses.
  public var subchannels: [ChannelzSubchannel] = []

  /// Creates a channel without a call.
  ///
  /// - Parameters:
  ///   - id: The channel's number, of ``ChannelzEntity/nextID()``.
  ///   - target: What it connects to.
  ///   - connectivity: Whether it is connected.
  public init(id: Int64, target: String, connectivity: ChannelzConnectivity) {
    self.id = id
    self.target = target
    self.connectivity = connectivity
  }
}

/// A channel's way to one address, as channelz shows it.
public struct ChannelzSubchannel: Sendable, Hashable {
  /// The subchannel's number.
  public var id: Int64
  /// The address.
  public var target: String
  /// Whether it is connected.
  public var connectivity: ChannelzConnectivity
  /// The calls that were sent there.
  public var calls = ChannelzCounts()
  /// Its connections, of which all but one only finish their calls.
  public var connections: [ChannelzSocket] = []

  /// Creates a subchannel without a call.
  ///
  /// - Parameters:
  ///   - id: The subchannel's number, of ``ChannelzEntity/nextID()``.
  ///   - target: The address.
  ///   - connectivity: Whether it is connected.
  public init(id: Int64, target: String, connectivity: ChannelzConnectivity) {
    self.id = id
    self.target = target
    self.connectivity = connectivity
  }
}

/// A client transport that can tell channelz what it does.
public protocol ChannelzChannelSource: Sendable {
  /// The channel as it is now.
  func channelzChannel() async -> ChannelzChannel
}
