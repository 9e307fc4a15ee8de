import GRPCCore

extension HTTP2ServerTransport: ChannelzServerSource {
  /// The server as channelz shows it.
  public func channelzServer() async -> ChannelzServer {
    var (server, connections) = channelzState()
    for connection in connections {
      let (socket, calls) = await withCheckedContinuation { continuation in
        connection.loop.execute { continuation.resume(returning: connection.channelz()) }
      }
      server.connections.append(socket)
      server.calls.add(calls)
    }
    return server
  }
}
