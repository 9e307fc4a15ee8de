import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

/// How a channel ends, and its calls with it.
@Suite(.timeLimit(.minutes(1))) struct ChannelShutdownTests {
  private let socket = TestSocket()

  @Test func shutdownWaitsForCallsAndNothingElse() async throws {
    let (arrivals, arrival) = AsyncStream.makeStream(of: ScriptedStream.self)
    let server = try socket.server { $0.onEnd = { arrival.yield($0) } }
    let client = GRPCClient(transport: try socket.transport())
    try await withThrowingTaskGroup { group in
      group.addTask { try await client.runConnections() }
      async let response = EchoClient(client: client).echo([1])
      var iterator = arrivals.makeAsyncIterator()
      let stream = try #require(await iterator.next())
      client.beginGracefulShutdown()
      await #expect(throws: RuntimeError.self) {
        try await EchoClient(client: client).unary([2])
      }
      await server.onLoop { _ in stream.echo() }
      let message = try await response
      #expect(message == [1])
      try await group.waitForAll()
    }
    await server.kill()
  }

  @Test func shutdownDoesNotWaitOutABackoff() async throws {
    var configuration = socket.configuration
    configuration.backoff = ConnectionBackoff(initial: .seconds(3600), maximum: .seconds(3600))
    let transport = try socket.transport(configuration)
    let client = GRPCClient(transport: transport)
    try await withThrowingTaskGroup { group in
      group.addTask { try await client.runConnections() }
      for await state in transport.connectivityStates where state == .transientFailure { break }
      async let response = EchoClient(client: client).unary([1], options: .waiting)
      client.beginGracefulShutdown()
      let outcome = try? await response
      #expect(outcome == nil || (try? outcome?.message) == nil)
      try await group.waitForAll()
    }
  }

  @Test func cancellingTheClientFailsItsCalls() async throws {
    let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    let server = try socket.server { _ in arrival.yield() }
    let client = GRPCClient(transport: try socket.transport())
    let run = Task { try await client.runConnections() }
    async let response = EchoClient(client: client).unary([1])
    var iterator = arrivals.makeAsyncIterator()
    await iterator.next()
    run.cancel()
    let outcome = try await response
    let error = #expect(throws: RPCError.self) { try outcome.message }
    #expect(error?.code == .unavailable)
    try await run.value
    await server.kill()
  }

  @Test func aCallThatWaitsForItsConnectionIsMadeAndTheChannelEndsAfterIt() async throws {
    let address = SocketAddress.unixDomainSocket(path: "\(socket.folder.path)/door.sock")
    let server = try ScriptedServer(.unixDomainSocket(path: "\(socket.folder.path)/behind.sock"))
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

  /// What is left to say of the call finds no room.
  @Test func shutdownDoesNotWaitForAPeerThatDoesNotRead() async throws {
    let server = try DeafServer()
    let transport = try server.transport()
    let client = GRPCClient(transport: transport)
    let run = Task { try await client.runConnections() }
    let call = Task {
      try await EchoClient(client: client).unary([UInt8](repeating: 1, count: 4 << 20))
    }
    await DeafServer.isFull(transport)
    call.cancel()
    _ = await call.result
    client.beginGracefulShutdown()
    try await run.value
    withExtendedLifetime(server) {}
  }

  private func retrying(after backoff: Duration) throws -> HTTP2ClientTransport {
    var configuration = socket.configuration
    configuration.serviceConfig = ServiceConfig(methodConfig: [
      MethodConfig(
        names: [MethodConfig.Name(service: "")],
        executionPolicy: .retry(
          RetryPolicy(
            maxAttempts: 5, initialBackoff: backoff, maxBackoff: backoff, backoffMultiplier: 1,
            retryableStatusCodes: [.unavailable])))
    ])
    return try socket.transport(configuration)
  }

  /// Whether its attempt fails, or its connection does.
  @Test(arguments: [true, false])
  func aCallIsMadeAgainDuringAShutdown(isAnswered: Bool) async throws {
    let (arrivals, arrival) = AsyncStream.makeStream(of: ScriptedStream.self)
    let server = try socket.server { $0.onEnd = { arrival.yield($0) } }
    let client = GRPCClient(transport: try retrying(after: .milliseconds(1)))
    try await withThrowingTaskGroup { group in
      group.addTask { try await client.runConnections() }
      async let response = EchoClient(client: client).echo([1])
      var iterator = arrivals.makeAsyncIterator()
      let first = try #require(await iterator.next())
      client.beginGracefulShutdown()
      await #expect(throws: RuntimeError.self) { try await EchoClient(client: client).echo([2]) }
      await server.onLoop { _ in
        if isAnswered { first.fail("14") } else { first.connection.close() }
      }
      let second = try #require(await iterator.next())
      await server.onLoop { _ in second.echo() }
      #expect(try await response == [1])
      try await group.waitForAll()
    }
    await server.kill()
  }

  /// Neither a call on its way, nor one that waits to be made again, nor one that waits for a connection.
  @Test(arguments: ["on its way", "made again", "without a connection"])
  func aCancelledClientMakesNoCallAgain(place: String) async throws {
    let (arrivals, arrival) = AsyncStream.makeStream(of: ScriptedStream.self)
    let server =
      try place == "without a connection"
      ? nil
      : socket.server { stream in
        stream.onEnd = { arrival.yield($0) }
      }
    let transport = try retrying(after: .seconds(3600))
    let client = GRPCClient(transport: transport)
    let run = Task { try await client.runConnections() }
    var options = CallOptions.defaults
    options.waitForReady = true
    async let response = EchoClient(client: client).unary([1], options: options)
    if let server {
      var iterator = arrivals.makeAsyncIterator()
      let stream = try #require(await iterator.next())
      if place == "made again" {
        await server.onLoop { _ in stream.fail("14") }
        while await transport.status.waitingCalls == 0 { await Task.yield() }
      }
    } else {
      while await transport.status.waitingCalls == 0 { await Task.yield() }
    }
    run.cancel()
    let outcome = try await response
    let error = #expect(throws: RPCError.self) { try outcome.message }
    #expect(error?.code == .unavailable)
    try await run.value
    await server?.kill()
  }

  /// The server of its only attempt wants the next one much later.
  @Test(arguments: [true, false])
  func aCancelledClientEndsAHedgedCall(isUnary: Bool) async throws {
    let server = try socket.server {
      $0.onEnd = { $0.fail("14", [("grpc-retry-pushback-ms", "999999999")]) }
    }
    let transport = try socket.transport()
    let client = GRPCClient(transport: transport)
    let run = Task { try await client.runConnections() }
    var options = CallOptions.defaults
    options.executionPolicy = PolicyServer.hedge(.seconds(3600))
    let call = Task { [options] in
      let echo = EchoClient(client: client)
      return isUnary
        ? try await echo.unary([1], options: options)
        : try await echo.collect(options: options) { try await $0.write([1]) }
    }
    while await server.onLoop(\.mostStreams) == 0 { await Task.yield() }
    while await transport.status.waitingCalls == 0 { await Task.yield() }
    run.cancel()
    let outcome = try await call.value
    let error = #expect(throws: RPCError.self) { try outcome.message }
    #expect(error?.message == RPCError.stopped.message)
    try await run.value
    await server.kill()
  }

  /// Whoever has it cancelled, or its channel with it.
  @Test(arguments: [true, false])
  func aCallThatWaitedToBeMadeAgainLeavesNothing(isCancelled: Bool) async throws {
    let server = try socket.server { $0.onEnd = { $0.fail("14") } }
    weak var channel: Channel?
    do {
      let transport = try retrying(after: .seconds(3600))
      channel = transport.channel
      let client = GRPCClient(transport: transport)
      let run = Task { try await client.runConnections() }
      let call = Task { _ = try await EchoClient(client: client).unary([1]) }
      while await transport.status.waitingCalls == 0 { await Task.yield() }
      if isCancelled { call.cancel() } else { run.cancel() }
      try await call.value
      client.beginGracefulShutdown()
      try await run.value
    }
    while channel != nil { await Task.yield() }
    await server.kill()
  }
}
