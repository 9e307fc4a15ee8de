import GRPCCore
import GRPCInProcessTransport
import Testing

@testable import GRPCServices

@Suite struct ChannelzServiceTests {
  private struct Servers: ChannelzServerSource {
    var id: Int64
    var connections = 0

    func channelzServer() async -> ChannelzServer {
      var server = ChannelzServer(id: id)
      server.calls.started = 7
      server.calls.succeeded = 4
      server.calls.failed = 2
      server.calls.lastStarted = .seconds(1_800_000_000) + .milliseconds(500)
      server.listeners = [
        ChannelzSocket(id: id * 1000, local: "ipv4:127.0.0.1:8080", remote: "")
      ]
      server.connections = (0..<connections).map {
        var socket = ChannelzSocket(
          id: id * 1000 + 1 + Int64($0), local: "ipv4:127.0.0.1:8080", remote: "unix:/run/x")
        socket.streams.started = 5
        socket.messagesReceived = 9
        socket.localWindow = 65_535
        if $0 == 1 {
          socket.security = ChannelzSecurity(
            cipherSuite: "TLS_AES_128_GCM_SHA256", localCertificate: [1], remoteCertificate: [])
        }
        return socket
      }
      return server
    }
  }

  private struct Upstream: ChannelzChannelSource {
    func channelzChannel() async -> ChannelzChannel {
      var channel = ChannelzChannel(id: 50, target: "dns:///kart", connectivity: .ready)
      channel.calls.succeeded = 3
      var subchannel = ChannelzSubchannel(
        id: 51, target: "ipv6:[::1]:443", connectivity: .transientFailure)
      subchannel.connections = [ChannelzSocket(id: 52, local: "", remote: "ipv6:[::1]:443")]
      channel.subchannels = [subchannel]
      return channel
    }
  }

  private func withClient(
    servers: [any ChannelzServerSource] = [], channels: [any ChannelzChannelSource] = [],
    _ body:
      @Sendable (Grpc_Channelz_V1_Channelz.Client<InProcessTransport.Client>) async throws -> Void
  ) async throws {
    let transport = InProcessTransport()
    try await withGRPCServer(
      transport: transport.server,
      services: [ChannelzService(servers: servers, channels: channels)]
    ) { _ in
      try await withGRPCClient(transport: transport.client) { client in
        try await body(Grpc_Channelz_V1_Channelz.Client(wrapping: client))
      }
    }
  }

  @Test func serversComeInPages() async throws {
    try await withClient(servers: (1...5).reversed().map { Servers(id: $0) }) { client in
      let first = try await client.getServers(.with { $0.maxResults = 2 })
      #expect(first.server.map(\.ref.serverID) == [1, 2])
      #expect(!first.end)
      let last = try await client.getServers(.with { $0.startServerID = 3 })
      #expect(last.server.map(\.ref.serverID) == [3, 4, 5])
      #expect(last.end)
    }
  }

  @Test func aServerIsShownWithItsCallsAndSockets() async throws {
    try await withClient(servers: [Servers(id: 1, connections: 150)]) { client in
      let server = try await client.getServer(.with { $0.serverID = 1 }).server
      #expect(server.data.callsStarted == 7)
      #expect(server.data.callsSucceeded == 4)
      #expect(server.data.callsFailed == 2)
      #expect(server.data.lastCallStartedTimestamp.seconds == 1_800_000_000)
      #expect(server.data.lastCallStartedTimestamp.nanos == 500_000_000)
      #expect(server.listenSocket.map(\.socketID) == [1000])
      let page = try await client.getServerSockets(.with { $0.serverID = 1 })
      #expect(page.socketRef.count == 100 && !page.end)
      let socket = try await client.getSocket(.with { $0.socketID = 1001 }).socket
      #expect(socket.data.streamsStarted == 5)
      #expect(socket.data.messagesReceived == 9)
      #expect(socket.data.localFlowControlWindow.value == 65_535)
      #expect(!socket.data.hasRemoteFlowControlWindow)
      #expect(socket.local.tcpipAddress.ipAddress == [127, 0, 0, 1])
      #expect(socket.local.tcpipAddress.port == 8080)
      #expect(socket.remote.udsAddress.filename == "/run/x")
      #expect(!socket.hasSecurity)
      let encrypted = try await client.getSocket(.with { $0.socketID = 1002 }).socket
      #expect(encrypted.security.tls.standardName == "TLS_AES_128_GCM_SHA256")
      #expect(encrypted.security.tls.localCertificate == [1])
      #expect(encrypted.security.tls.remoteCertificate.isEmpty)
    }
  }

  @Test func aChannelIsShownDownToItsSockets() async throws {
    try await withClient(channels: [Upstream()]) { client in
      let top = try await client.getTopChannels(.init())
      #expect(top.end && top.channel.count == 1)
      let channel = try await client.getChannel(.with { $0.channelID = 50 }).channel
      #expect(top.channel == [channel])
      #expect(channel.data.state.state == .ready)
      #expect(channel.data.callsSucceeded == 3)
      #expect(channel.subchannelRef.map(\.subchannelID) == [51])
      let subchannel = try await client.getSubchannel(.with { $0.subchannelID = 51 }).subchannel
      #expect(subchannel.data.state.state == .transientFailure)
      let socket = try await client.getSocket(.with { $0.socketID = 52 }).socket
      #expect(socket.remote.tcpipAddress.ipAddress == Array(repeating: 0, count: 15) + [1])
      #expect(!socket.hasLocal)
    }
  }

  @Test func whatThereIsNotIsNotFound() async throws {
    try await withClient(servers: [Servers(id: 1)]) { client in
      let calls: [() async throws -> Void] = [
        { _ = try await client.getServer(.with { $0.serverID = 2 }) },
        { _ = try await client.getServerSockets(.with { $0.serverID = 2 }) },
        { _ = try await client.getChannel(.with { $0.channelID = 1 }) },
        { _ = try await client.getSubchannel(.with { $0.subchannelID = 1 }) },
        { _ = try await client.getSocket(.with { $0.socketID = 1 }) },
      ]
      for call in calls {
        let error = await #expect(throws: RPCError.self) { try await call() }
        #expect(error?.code == .notFound)
      }
      let negative = await #expect(throws: RPCError.self) {
        try await client.getServers(.with { $0.startServerID = -1 })
      }
      #expect(negative?.code == .invalidArgument)
    }
  }

  @Test(
    arguments: [
      ("ipv4:10.1.2.3:80", [10, 1, 2, 3]),
      ("ipv6:[::]:80", Array(repeating: 0, count: 16)),
      ("ipv6:[2001:db8::1:2]:80", [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2]),
      ("ipv6:[1:2:3:4:5:6:7:8]:80", [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8]),
    ] as [(String, [UInt8])])
  func addressesAreTakenApart(name: String, bytes: [UInt8]) {
    let address = Grpc_Channelz_V1_Address(name: name)
    #expect(address?.tcpipAddress.ipAddress == bytes)
    #expect(address?.tcpipAddress.port == 80)
  }

  @Test(arguments: ["vsock:3:5000", "ipv4:1.2.3:80", "ipv6:[fe80::1%eth0]:80", "ipv6:[1::2::3]:1"])
  func otherAddressesAreKept(name: String) {
    #expect(Grpc_Channelz_V1_Address(name: name)?.otherAddress.name == name)
  }
}
