import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

/// How a channel connects, and to whom.
@Suite(.timeLimit(.minutes(1))) struct ChannelTests {
  private let socket = TestSocket()

  @Test func callsMayComeBeforeTheChannelRuns() async throws {
    let server = try socket.server()
    let client = GRPCClient(transport: try socket.transport())
    let response = Task { try await EchoClient(client: client).echo([1]) }
    try await withThrowingTaskGroup { group in
      group.addTask { try await client.runConnections() }
      let message = try await response.value
      #expect(message == [1])
      client.beginGracefulShutdown()
      try await group.waitForAll()
    }
    await server.kill()
  }

  @Test func aCallFailsWhenNobodyAnswersUnlessItWaits() async throws {
    try await withGRPCClient(transport: try socket.transport()) { client in
      let echo = EchoClient(client: client)
      let response = try await echo.unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .unavailable)
      #expect(error?.message.contains("unix:\(socket.path)") == true)
      async let late = echo.echo([2], options: .waiting)
      let server = try socket.server()
      let message = try await late
      #expect(message == [2])
      await server.kill()
    }
  }

  @Test func aDeadlineThatPassesInWaitingTellsWhatWasWaitedFor() async throws {
    try await withGRPCClient(transport: try socket.transport()) { client in
      var options = CallOptions.waiting
      options.timeout = .milliseconds(20)
      // Until there has been an attempt to connect.
      var error: RPCError?
      while error?.message.contains("waited") != true {
        let response = try await EchoClient(client: client).unary([1], options: options)
        error = #expect(throws: RPCError.self) { try response.message }
        #expect(error?.code == .deadlineExceeded)
      }
      #expect(error?.message.contains("unix:\(socket.path)") == true)
    }
  }

  @Test func pickFirstTakesTheSecondAddressIfTheFirstFails() async throws {
    let server = try ScriptedServer(.ipv4(host: "127.0.0.1", port: 0))
    let port = try #require(server.address.ipv4?.port)
    let transport = try HTTP2ClientTransport(
      target: .ipv4(pairs: [("127.0.0.1", 1), ("127.0.0.1", port)]),
      configuration: socket.configuration)
    try await withGRPCClient(transport: transport) { client in
      let message3 = try await EchoClient(client: client).echo([1])
      #expect(message3 == [1])
    }
    await server.kill()
  }

  @Test func roundRobinFollowsReplicasAsTheyJoinLeaveAndRestart() async throws {
    func replica(_ name: String) throws -> ScriptedServer {
      try ScriptedServer(.unixDomainSocket(path: "\(socket.folder.path)/\(name).sock")) {
        $0.onEnd = { $0.respond(messages: [Array(name.utf8)]) }
      }
    }
    var configuration = socket.configuration
    configuration.loadBalancing = .roundRobin
    // So long that a test which waits one out does not end in time.
    configuration.backoff = ConnectionBackoff(initial: .seconds(300), maximum: .seconds(300))
    let transport = try HTTP2ClientTransport(
      target: .unixDirectory(path: socket.folder.path), configuration: configuration)
    try await withGRPCClient(transport: transport) { client in
      let echo = EchoClient(client: client)
      /// Calls until replies come from these replicas only, and from each in turn.
      func expect(_ names: String...) async throws {
        var row: [String] = []
        while row.suffix(2 * names.count) != names + names {
          let response = try await echo.unary([], options: .waiting)
          // A call on its way to a replica that dies fails.
          guard let message = try? response.message else { continue }
          row.append(String(decoding: message, as: UTF8.self))
          if row.count > 1000, row.last == names.last { row.removeFirst(500) }
        }
      }
      let a = try replica("a")
      try await expect("a")
      let b = try replica("b")
      try await expect("a", "b")
      let c = try replica("c")
      try await expect("a", "b", "c")
      await b.kill()
      try await expect("a", "c")
      // At once, although the last connection to this name is in a backoff of minutes or was just lost.
      let second = try replica("b")
      try await expect("a", "b", "c")
      for server in [a, second, c] { await server.kill() }
    }
  }

  @Test func anEmptyFolderFailsCalls() async throws {
    let transport = try HTTP2ClientTransport(
      target: .unixDirectory(path: socket.folder.path), configuration: socket.configuration)
    try await withGRPCClient(transport: transport) { client in
      let response = try await EchoClient(client: client).unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .unavailable)
    }
  }

  @Test func connectivityStatesAreToldUntilTheEnd() async throws {
    let server = try socket.server()
    let transport = try socket.transport()
    var states = transport.connectivityStates.makeAsyncIterator()
    #expect(await states.next() == .idle)
    try await withGRPCClient(transport: transport) { client in
      _ = try await EchoClient(client: client).unary([1])
      while let state = await states.next(), state != .ready {}
    }
    while let state = await states.next(), state != .shutdown {}
    #expect(await states.next() == nil)
    var late = transport.connectivityStates.makeAsyncIterator()
    #expect(await late.next() == .shutdown)
    #expect(await late.next() == nil)
    #expect(transport.channel.connectivity.subscriberCount == 0)
    await server.kill()
  }

  @Test func aChannelRunsOnce() async throws {
    let transport = try socket.transport()
    let run = Task { try await transport.connect() }
    for await state in transport.connectivityStates where state != .idle { break }
    await #expect(throws: RuntimeError.self) { try await transport.connect() }
    transport.beginGracefulShutdown()
    try await run.value
    await #expect(throws: RuntimeError.self) { try await transport.connect() }
  }

  @Test func aTargetWithoutAResolverIsRefused() {
    struct Unknown: ResolvableTarget {}
    #expect(throws: RuntimeError.self) { try HTTP2ClientTransport(target: Unknown()) }
  }
}
