import GRPCCore

extension ChannelzService: Grpc_Channelz_V1_Channelz.SimpleServiceProtocol {
  /// Answers with the channels.
  public func getTopChannels(
    request: Grpc_Channelz_V1_GetTopChannelsRequest, context: ServerContext
  ) async throws -> Grpc_Channelz_V1_GetTopChannelsResponse {
    let (channels, isLast) = try Self.page(
      of: await allChannels(), from: request.startChannelID, limit: request.maxResults, id: \.id)
    return .with {
      $0.channel = channels.map(\.message)
      $0.end = isLast
    }
  }

  /// Answers with the servers.
  public func getServers(
    request: Grpc_Channelz_V1_GetServersRequest, context: ServerContext
  ) async throws -> Grpc_Channelz_V1_GetServersResponse {
    let (servers, isLast) = try Self.page(
      of: await allServers(), from: request.startServerID, limit: request.maxResults, id: \.id)
    return .with {
      $0.server = servers.map(\.message)
      $0.end = isLast
    }
  }

  /// Answers with one server.
  ///
  /// - Throws: `RPCError` NOT_FOUND where there is none of that number.
  public func getServer(
    request: Grpc_Channelz_V1_GetServerRequest, context: ServerContext
  ) async throws -> Grpc_Channelz_V1_GetServerResponse {
    let server = try await server(request.serverID)
    return .with { $0.server = server.message }
  }

  /// Answers with a server's connections.
  ///
  /// - Throws: `RPCError` NOT_FOUND where there is no server of that number.
  public func getServerSockets(
    request: Grpc_Channelz_V1_GetServerSocketsRequest, context: ServerContext
  ) async throws -> Grpc_Channelz_V1_GetServerSocketsResponse {
    let connections = try await server(request.serverID).connections.sorted { $0.id < $1.id }
    let (sockets, isLast) = try Self.page(
      of: connections, from: request.startSocketID, limit: request.maxResults, id: \.id)
    return .with {
      $0.socketRef = sockets.map(\.ref)
      $0.end = isLast
    }
  }

  /// Answers with one channel.
  ///
  /// - Throws: `RPCError` NOT_FOUND where there is none of that number.
  public func getChannel(
    request: Grpc_Channelz_V1_GetChannelRequest, context: ServerContext
  ) async throws -> Grpc_Channelz_V1_GetChannelResponse {
    guard let channel = await allChannels().first(where: { $0.id == request.channelID }) else {
      throw Self.missing("channel", request.channelID)
    }
    return .with { $0.channel = channel.message }
  }

  /// Answers with one subchannel.
  ///
  /// - Throws: `RPCError` NOT_FOUND where there is none of that number.
  public func getSubchannel(
    request: Grpc_Channelz_V1_GetSubchannelRequest, context: ServerContext
  ) async throws -> Grpc_Channelz_V1_GetSubchannelResponse {
    let subchannels = await allChannels().flatMap(\.subchannels)
    guard let subchannel = subchannels.first(where: { $0.id == request.subchannelID }) else {
      throw Self.missing("subchannel", request.subchannelID)
    }
    return .with { $0.subchannel = subchannel.message }
  }

  /// Answers with one socket.
  ///
  /// - Throws: `RPCError` NOT_FOUND where there is none of that number.
  public func getSocket(
    request: Grpc_Channelz_V1_GetSocketRequest, context: ServerContext
  ) async throws -> Grpc_Channelz_V1_GetSocketResponse {
    guard let socket = await allSockets().first(where: { $0.id == request.socketID }) else {
      throw Self.missing("socket", request.socketID)
    }
    return .with { $0.socket = socket.message }
  }

  private func server(_ id: Int64) async throws(RPCError) -> ChannelzServer {
    guard let server = await allServers().first(where: { $0.id == id }) else {
      throw Self.missing("server", id)
    }
    return server
  }

  private static func missing(_ kind: String, _ id: Int64) -> RPCError {
    RPCError(code: .notFound, message: "There is no \(kind) with the number \(id).")
  }
}
