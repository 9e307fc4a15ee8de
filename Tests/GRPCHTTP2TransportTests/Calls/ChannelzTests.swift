import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

/// What channelz shows of a client and a server of ours.
@Suite(.timeLimit(.minutes(1))) struct ChannelzTests {
  @Test func callsStreamsAndMessagesAreCounted() async throws {
    let service = FilledService(
      unary: { request, _ in
        guard !request.message.isEmpty else { throw RPCError(code: .notFound, message: "") }
        return ServerResponse(message: request.message)
      },
      bidirectional: { request, _ in
        StreamingServerResponse { writer in
          for try await message in request.messages { try await writer.write(message) }
          return [:]
        }
      })
    try await EchoCalls(services: [service]).run { client, server in
      for _ in 0..<3 { _ = try await client.echo([1]) }
      await #expect(throws: RPCError.self) { try await client.echo([]) }
      try await client.bidirectional { writer in
        for _ in 0..<5 { try await writer.write([1]) }
      } _: { response in
        for try await _ in response.messages {}
      }

      let shown = await server.channelzServer()
      #expect(shown.calls.started == 5)
      #expect(shown.calls.succeeded == 4)
      #expect(shown.calls.failed == 1)
      #expect(shown.calls.lastStarted != nil)
      let address = try await server.listeningAddress
      #expect(shown.listeners.map(\.local) == ["\(address)"])
      let socket = try #require(shown.connections.first)
      #expect(shown.connections.count == 1)
      #expect(socket.streams.started == 5 && socket.streams.succeeded == 5)
      #expect(socket.messagesReceived == 4 + 5)
      #expect(socket.messagesSent == 3 + 5)
      #expect(socket.localWindow ?? 0 > 0 && socket.remoteWindow ?? 0 > 0)
      #expect(await server.channelzServer().id == shown.id)

      let transport = try #require(client.transport)
      let channel = await transport.channelzChannel()
      #expect(channel.connectivity == .ready)
      #expect(channel.calls.started == 5)
      #expect(channel.calls.succeeded == 4 && channel.calls.failed == 1)
      let subchannel = try #require(channel.subchannels.first)
      #expect(subchannel.calls.started == 5 && subchannel.calls.succeeded == 4)
      let connection = try #require(subchannel.connections.first)
      #expect(connection.messagesReceived == 3 + 5)
      #expect(connection.messagesSent == 4 + 5)
    }
  }

  @Test func encryptionIsShownWithBothCertificates() async throws {
    let authority = TestAuthority()
    let (serverIdentity, clientIdentity) = (authority.issue("server"), authority.issue("tracker"))
    var calls = EchoCalls(route: .tcp)
    calls.serverSecurity = .mTLS(
      certificateChain: serverIdentity.chain, privateKey: serverIdentity.privateKey
    ) { $0.trustRoots = authority.trust }
    calls.clientSecurity = .mTLS(
      certificateChain: clientIdentity.chain, privateKey: clientIdentity.privateKey
    ) { $0.trustRoots = authority.trust }
    try await calls.run { client, server in
      _ = try await client.echo([1])
      let shown = try #require(await server.channelzServer().connections.first?.security)
      #expect(shown.cipherSuite.hasPrefix("TLS_AES_") || shown.cipherSuite.hasPrefix("TLS_CHACHA"))
      #expect(shown.localCertificate == serverIdentity.der)
      #expect(shown.remoteCertificate == clientIdentity.der)
      #expect(!serverIdentity.der.isEmpty && serverIdentity.der != clientIdentity.der)

      let channel = try #require(await client.transport?.channelzChannel())
      let other = try #require(channel.subchannels.first?.connections.first?.security)
      #expect(other.cipherSuite == shown.cipherSuite)
      #expect(other.localCertificate == clientIdentity.der)
      #expect(other.remoteCertificate == serverIdentity.der)
    }
  }

  @Test func plaintextIsShownWithoutEncryption() async throws {
    try await EchoCalls().run { client, server in
      _ = try await client.echo([1])
      let connections = await server.channelzServer().connections
      #expect(connections.map(\.security) == [nil])
    }
  }

  @Test func theCallsOfAConnectionThatIsGoneStillCount() async throws {
    try await EchoCalls().run { client, server in
      _ = try await client.echo([1])
      let transport = try HTTP2ClientTransport(target: "\(try await server.listeningAddress)")
      try await withGRPCClient(transport: transport) {
        _ = try await EchoClient(client: $0).echo([1])
      }
      // The server learns of the end in its own time.
      while await server.channelzServer().connections.count > 1 { await Task.yield() }
      let shown = await server.channelzServer()
      #expect(shown.calls.started == 2 && shown.calls.succeeded == 2 && shown.calls.failed == 0)
    }
  }
}
