import GRPCCore

extension HTTP2ClientTransport: ChannelzChannelSource {
  /// The channel as channelz shows it.
  public func channelzChannel() async -> ChannelzChannel {
    let name = targetName
    return await withCheckedContinuation { continuation in
      channel.tell { continuation.resume(returning: $0.channelz(target: name)) }
    }
  }
}

extension Channel {
  fileprivate func channelz(target: String) -> ChannelzChannel {
    var shown = ChannelzChannel(
      id: channelzID, target: target, connectivity: ChannelzConnectivity(connectivity.current))
    shown.calls = calls
    let current = (endpoints ?? []).flatMap(\.subchannels)
    shown.subchannels = (current + retired).map { $0.way.channelz() }
    return shown
  }
}

extension ChannelzConnectivity {
  init(_ state: ConnectivityState) {
    self =
      switch state {
      case .idle: .idle
      case .connecting: .connecting
      case .ready: .ready
      case .transientFailure: .transientFailure
      case .shutdown: .shutdown
      }
  }
}
