import GRPCCore

/// gRPC's channelz, `grpc.channelz.v1.Channelz`: shows what servers, channels and connections of this
/// process do.
///
/// ```swift
/// let channelz = ChannelzService(servers: [transport], channels: [upstream])
/// let server = GRPCServer(transport: transport, services: [Greeter(), channelz])
/// ```
///
/// It tells of addresses and of load: serve it where only operators reach it. See gRPC's proposal A14.
public struct ChannelzService: Sendable {
  /// How many entries a page has where the client does not say.
  private static let pageSize = 100

  private let servers: [any ChannelzServerSource]
  private let channels: [any ChannelzChannelSource]

  /// Creates the service.
  ///
  /// - Parameters:
  ///   - servers: The transports of servers to show.
  ///   - channels: The transports of clients to show.
  public init(
    servers: [any ChannelzServerSource] = [], channels: [any ChannelzChannelSource] = []
  ) {
    self.servers = servers
    self.channels = channels
  }

  func allServers() async -> [ChannelzServer] {
    var all: [ChannelzServer] = []
    for server in servers { all.append(await server.channelzServer()) }
    return all.sorted { $0.id < $1.id }
  }

  func allChannels() async -> [ChannelzChannel] {
    var all: [ChannelzChannel] = []
    for channel in channels { all.append(await channel.channelzChannel()) }
    return all.sorted { $0.id < $1.id }
  }

  func allSockets() async -> [ChannelzSocket] {
    let ofServers = await allServers().flatMap { $0.listeners + $0.connections }
    return await ofServers + allChannels().flatMap(\.subchannels).flatMap(\.connections)
  }

  /// A page of entries in the order of their numbers.
  ///
  /// - Parameters:
  ///   - start: The smallest number to show.
  ///   - limit: How many to show; 0 leaves it to the server.
  /// - Returns: The entries, and whether they are the last.
  static func page<Entry>(
    of all: [Entry], from start: Int64, limit: Int64, id: (Entry) -> Int64
  ) throws(RPCError) -> (entries: [Entry], isLast: Bool) {
    guard start >= 0, limit >= 0 else {
      throw RPCError(code: .invalidArgument, message: "A page has no negative start or size.")
    }
    let rest = all.filter { id($0) >= start }
    let size = limit == 0 ? pageSize : Int(clamping: limit)
    return (Array(rest.prefix(size)), rest.count <= size)
  }
}
