import GRPCCore
import SwiftProtobuf

extension ChannelzServer {
  var message: Grpc_Channelz_V1_Server {
    .with {
      $0.ref = .with { $0.serverID = id }
      $0.data = .with {
        $0.callsStarted = calls.started
        $0.callsSucceeded = calls.succeeded
        $0.callsFailed = calls.failed
        if let time = calls.timestamp { $0.lastCallStartedTimestamp = time }
      }
      $0.listenSocket = listeners.map(\.ref)
    }
  }
}

extension ChannelzChannel {
  var message: Grpc_Channelz_V1_Channel {
    .with {
      $0.ref = .with {
        $0.channelID = id
        $0.name = target
      }
      $0.data = calls.data(target: target, connectivity)
      $0.subchannelRef = subchannels.map { subchannel in
        .with {
          $0.subchannelID = subchannel.id
          $0.name = subchannel.target
        }
      }
    }
  }
}

extension ChannelzSubchannel {
  var message: Grpc_Channelz_V1_Subchannel {
    .with {
      $0.ref = .with {
        $0.subchannelID = id
        $0.name = target
      }
      $0.data = calls.data(target: target, connectivity)
      $0.socketRef = connections.map(\.ref)
    }
  }
}

extension ChannelzCounts {
  /// When the last one began.
  fileprivate var timestamp: Google_Protobuf_Timestamp? { lastStarted.map(Self.timestamp) }

  fileprivate func data(
    target: String, _ connectivity: ChannelzConnectivity
  ) -> Grpc_Channelz_V1_ChannelData {
    .with {
      $0.state = .with { $0.state = connectivity.message }
      $0.target = target
      $0.callsStarted = started
      $0.callsSucceeded = succeeded
      $0.callsFailed = failed
      if let time = timestamp { $0.lastCallStartedTimestamp = time }
    }
  }

  private static func timestamp(_ since1970: Duration) -> Google_Protobuf_Timestamp {
    let (seconds, attoseconds) = since1970.components
    return .with {
      $0.seconds = seconds
      $0.nanos = Int32(attoseconds / 1_000_000_000)
    }
  }
}

extension ChannelzConnectivity {
  fileprivate var message: Grpc_Channelz_V1_ChannelConnectivityState.State {
    switch self {
    case .idle: .idle
    case .connecting: .connecting
    case .ready: .ready
    case .transientFailure: .transientFailure
    case .shutdown: .shutdown
    }
  }
}

extension ChannelzSocket {
  var ref: Grpc_Channelz_V1_SocketRef {
    .with {
      $0.socketID = id
      $0.name = remote.isEmpty ? local : "\(local) -> \(remote)"
    }
  }

  var message: Grpc_Channelz_V1_Socket {
    .with {
      $0.ref = ref
      $0.data = data
      if let address = Grpc_Channelz_V1_Address(name: local) { $0.local = address }
      if let address = Grpc_Channelz_V1_Address(name: remote) { $0.remote = address }
      if let security { $0.security = .with { $0.tls = security.message } }
    }
  }

  private var data: Grpc_Channelz_V1_SocketData {
    .with {
      $0.streamsStarted = streams.started
      $0.streamsSucceeded = streams.succeeded
      $0.streamsFailed = streams.failed
      $0.messagesSent = messagesSent
      $0.messagesReceived = messagesReceived
      $0.keepAlivesSent = keepAlivesSent
      if let time = streams.timestamp {
        if isClient {
          $0.lastLocalStreamCreatedTimestamp = time
        } else {
          $0.lastRemoteStreamCreatedTimestamp = time
        }
      }
      if let localWindow { $0.localFlowControlWindow = .init(localWindow) }
      if let remoteWindow { $0.remoteFlowControlWindow = .init(remoteWindow) }
    }
  }
}

extension ChannelzSecurity {
  fileprivate var message: Grpc_Channelz_V1_Security.Tls {
    .with {
      $0.standardName = cipherSuite
      $0.localCertificate = localCertificate
      $0.remoteCertificate = remoteCertificate
    }
  }
}
