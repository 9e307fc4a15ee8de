import GRPCCore
import KartTesting
import Testing

@testable import GRPCHTTP2Transport

/// How an app shares one client among all its views: it connects with the first call, is let go of in the
/// background, and connects again with the next call.
actor ClientManager {
  private let target: String
  private var client: GRPCClient<HTTP2ClientTransport>?

  init(target: String) {
    self.target = target
  }

  /// The client that everyone shares. It runs itself, so that no task has to be kept for it.
  func shared() throws -> GRPCClient<HTTP2ClientTransport> {
    if let client { return client }
    let client = GRPCClient.managed(transport: try HTTP2ClientTransport(target: target))
    self.client = client
    return client
  }

  /// Lets go of the client, whose calls go on to their ends. What is left of it then is disconnected.
  func disconnect() {
    client?.beginGracefulShutdown()
    client = nil
  }
}

@Suite(.timeLimit(.minutes(1))) struct ClientManagerTests {
  private let folder = TemporaryFolder()

  @Test func connectsWhenNeededAndOnlyThen() async throws {
    let address = SocketAddress.unixDomainSocket(path: "\(folder.path)/s.sock")
    let (arrivals, arrival) = AsyncStream.makeStream(of: ScriptedStream.self)
    let server = try ScriptedServer(address) { stream in
      stream.onEnd = { stream in
        if stream.message == [9] { arrival.yield(stream) } else { stream.echo() }
      }
    }
    let manager = ClientManager(target: "\(address)")
    func connections() async -> Int { await server.onLoop { $0.connections.count } }

    _ = try await manager.shared()
    #expect(await connections() == 0)
    try await withThrowingTaskGroup(of: [UInt8].self) { views in
      for number in UInt8(0)..<8 {
        views.addTask { try await EchoClient(client: try await manager.shared()).echo([number]) }
      }
      let answers = try await views.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
      #expect(answers.count == 8)
    }
    #expect(await connections() == 1)

    // A call that is under way when the app goes to the background still gets its answer.
    let client = try await manager.shared()
    let late = Task { try await EchoClient(client: client).echo([9]) }
    var streams = arrivals.makeAsyncIterator()
    let stream = try #require(await streams.next())
    await manager.disconnect()
    await #expect(throws: RuntimeError.self) { try await EchoClient(client: client).echo([1]) }
    await server.onLoop { _ in stream.echo() }
    #expect(try await late.value == [9])

    try await EchoClient(client: try await manager.shared()).expectEcho(of: [2])
    #expect(await connections() == 2)
    await manager.disconnect()
    await server.kill()
  }

  @Test func aClientThatNobodyHoldsDisconnects() async throws {
    let server = try ScriptedServer(.unixDomainSocket(path: "\(folder.path)/s.sock"))
    let transport = try HTTP2ClientTransport(target: "\(server.address)")
    do {
      let client = GRPCClient.managed(transport: transport)
      try await EchoClient(client: client).expectEcho(of: [1])
    }
    for await state in transport.connectivityStates where state == .shutdown { break }
    await server.kill()
  }
}
