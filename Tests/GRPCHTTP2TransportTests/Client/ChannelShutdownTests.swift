import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

/// The end of a channel that has calls in other states than open.
@Suite(.timeLimit(.minutes(1))) struct ChannelShutdownTests {
  private let folder = TemporaryFolder()

  @Test func aCallThatWaitsForItsConnectionIsMadeAndTheChannelEndsAfterIt() async throws {
    let address = SocketAddress.unixDomainSocket(path: "\(folder.path)/door.sock")
    let server = try ScriptedServer(.unixDomainSocket(path: "\(folder.path)/behind.sock"))
    // Whoever comes in at the door waits until he is let on to the server.
    let (visitors, visitor) = AsyncStream.makeStream(of: Int32.self)
    let door = try ListeningSocket(address, on: server.loop)
    await server.onLoop { _ in try? door.start { descriptor, _ in visitor.yield(descriptor) } }

    let transport = try HTTP2ClientTransport(target: "\(address)")
    let client = GRPCClient(transport: transport)
    try await withThrowingTaskGroup { group in
      group.addTask { try await client.runConnections() }
      async let response = EchoClient(client: client).echo([1])
      while await transport.status.waitingCalls == 0 { await Task.yield() }
      var iterator = visitors.makeAsyncIterator()
      let descriptor = try #require(await iterator.next())
      client.beginGracefulShutdown()
      await server.onLoop { $0.accept(descriptor) }
      let message = try await response
      #expect(message == [1])
      try await group.waitForAll()
    }
    await server.onLoop { _ in door.close() }
    await server.kill()
  }
}
