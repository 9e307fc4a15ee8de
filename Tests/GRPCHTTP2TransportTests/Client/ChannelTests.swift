import EventLoop
import GRPCCore
import Glibc
import Testing

@testable import GRPCHTTP2Transport

/// How a channel connects, loses connections and finds others.
@Suite(.timeLimit(.minutes(1))) struct ChannelTests {
  private let folder = TemporaryFolder()

  private var path: String { "\(folder.path)/s.sock" }

  private var configuration: HTTP2ClientTransport.Configuration {
    var configuration = HTTP2ClientTransport.Configuration.defaults
    configuration.backoff = ConnectionBackoff(
      initial: .milliseconds(10), maximum: .milliseconds(50))
    return configuration
  }

  private func server(
    _ handler: @escaping ScriptedServer.Handler = { $0.onEnd = { $0.echo() } }
  ) throws -> ScriptedServer {
    try ScriptedServer(.unixDomainSocket(path: path), handler: handler)
  }

  private func transport(
    _ configuration: HTTP2ClientTransport.Configuration? = nil
  ) throws -> HTTP2ClientTransport {
    try HTTP2ClientTransport(
      target: .unixDomainSocket(path: path), configuration: configuration ?? self.configuration)
  }

  private var waiting: CallOptions {
    var options = CallOptions.defaults
    options.waitForReady = true
    return options
  }

  @Test func callsMayComeBeforeTheChannelRuns() async throws {
    let server = try server()
    let client = GRPCClient(transport: try transport())
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
    try await withGRPCClient(transport: try transport()) { client in
      let echo = EchoClient(client: client)
      let response = try await echo.unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .unavailable)
      #expect(error?.message.contains("unix:\(path)") == true)
      async let late = echo.echo([2], options: waiting)
      let server = try server()
      let message = try await late
      #expect(message == [2])
      await server.kill()
    }
  }

  @Test func aDeadlineThatPassesInWaitingTellsWhatWasWaitedFor() async throws {
    try await withGRPCClient(transport: try transport()) { client in
      var options = waiting
      options.timeout = .milliseconds(20)
      // Until there has been an attempt to connect.
      var error: RPCError?
      while error?.message.contains("waited") != true {
        let response = try await EchoClient(client: client).unary([1], options: options)
        error = #expect(throws: RPCError.self) { try response.message }
        #expect(error?.code == .deadlineExceeded)
      }
      #expect(error?.message.contains("unix:\(path)") == true)
    }
  }

  @Test func aLostConnectionFailsTheCallsItCarriedAndTheNextOneReconnects() async throws {
    let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    let first = try server { _ in arrival.yield() }
    let transport = try transport()
    try await withGRPCClient(transport: transport) { client in
      let echo = EchoClient(client: client)
      async let one = echo.unary([1])
      async let two = echo.unary([2])
      var iterator = arrivals.makeAsyncIterator()
      await iterator.next()
      await iterator.next()
      await first.kill()
      for response in [try await one, try await two] {
        let error = #expect(throws: RPCError.self) { try response.message }
        #expect(error?.code == .unavailable)
      }
      var states = transport.connectivityStates.makeAsyncIterator()
      #expect(await states.next() == .idle)
      let second = try server()
      let message = try await echo.echo([3])
      #expect(message == [3])
      await second.kill()
    }
  }

  @Test func aSocketThatIsBackIsConnectedToWhateverTheBackoff() async throws {
    var configuration = configuration
    configuration.backoff = ConnectionBackoff(initial: .seconds(3600), maximum: .seconds(3600))
    let transport = try transport(configuration)
    try await withGRPCClient(transport: transport) { client in
      let echo = EchoClient(client: client)
      for await state in transport.connectivityStates where state == .transientFailure { break }
      let first = try server()
      let message = try await echo.echo([1], options: waiting)
      #expect(message == [1])
      await first.kill()
      for await state in transport.connectivityStates where state != .ready { break }
      // One attempt to connect, which nobody answers.
      let response = try await echo.unary([2])
      #expect(throws: RPCError.self) { try response.message }
      let second = try server()
      let late = try await echo.echo([3], options: waiting)
      #expect(late == [3])
      await second.kill()
    }
  }

  @Test func aLostConnectionFailsNoOtherCalls() async throws {
    let (arrivals, arrival) = AsyncStream.makeStream(of: ScriptedStream.self)
    let servers = try ["a", "b"].map { name in
      try ScriptedServer(.unixDomainSocket(path: "\(folder.path)/\(name).sock")) {
        $0.onEnd = { $0.respond(messages: [Array(name.utf8)]) }
      }
    }
    var configuration = configuration
    configuration.loadBalancing = .roundRobin
    let transport = try HTTP2ClientTransport(
      target: .unixDirectory(path: folder.path), configuration: configuration)
    try await withGRPCClient(transport: transport) { client in
      let echo = EchoClient(client: client)
      // Until both are connected to.
      var names: Set<[UInt8]> = []
      while names.count < 2 { names.insert(try await echo.echo([], options: waiting)) }
      for server in servers {
        await server.onLoop { $0.handler = { $0.onEnd = { arrival.yield($0) } } }
      }
      try await withThrowingTaskGroup(of: (UInt8, RPCError.Code?).self) { group in
        for number in UInt8(0)..<20 {
          group.addTask {
            let response = try await echo.unary([number], options: waiting)
            do {
              return (try response.message[0], nil)
            } catch {
              return (number, (error as? RPCError)?.code)
            }
          }
        }
        var streams: [ScriptedStream] = []
        for await stream in arrivals {
          streams.append(stream)
          if streams.count == 20 { break }
        }
        let lost = Set(streams.filter { $0.server === servers[0] }.map { $0.message[0] })
        #expect(!lost.isEmpty && lost.count < 20)
        await servers[0].kill()
        await servers[1].onLoop { [streams] server in
          for stream in streams where stream.server === server { stream.echo() }
        }
        for try await (number, code) in group {
          #expect(code == (lost.contains(number) ? .unavailable : nil))
        }
      }
    }
    await servers[1].kill()
  }

  @Test(arguments: [
    (HTTP2ErrorCode.noError, RPCError.Code?.none), (.enhanceYourCalm, nil), (.internalError, nil),
    (.noError, .unavailable), (.enhanceYourCalm, .unavailable), (.internalError, .unavailable),
  ])
  func callsThatWereSentBeforeAGoAwayEndAsTheServerSays(
    code: HTTP2ErrorCode, end: RPCError.Code?
  ) async throws {
    // The call is among those that the server has acted on. It answers, or closes the connection instead.
    let server = try server { stream in
      stream.onEnd = { stream in
        stream.connection.session.submitGoAway(code)
        stream.connection.setNeedsFlush()
        if end == nil { stream.echo() } else { stream.connection.terminate(code) }
      }
    }
    try await withGRPCClient(transport: try transport()) { client in
      let response = try await EchoClient(client: client).unary([1])
      if end == nil {
        #expect(try response.message == [1])
      } else {
        let error = #expect(throws: RPCError.self) { try response.message }
        #expect(error?.code == end)
      }
    }
    await server.kill()
  }

  @Test func afterGoAwayOldCallsEndAndNewOnesGoElsewhere() async throws {
    let (arrivals, arrival) = AsyncStream.makeStream(of: ScriptedStream.self)
    let server = try server { stream in
      stream.onEnd = { if $0.message == [1] { arrival.yield($0) } else { $0.echo() } }
    }
    try await withGRPCClient(transport: try transport()) { client in
      let echo = EchoClient(client: client)
      async let old = echo.echo([1])
      var iterator = arrivals.makeAsyncIterator()
      let stream = try #require(await iterator.next())
      await server.goAway()
      let message2 = try await echo.echo([2])
      #expect(message2 == [2])
      #expect(await server.onLoop { $0.connections.count } == 2)
      await server.onLoop { _ in stream.echo() }
      let message = try await old
      #expect(message == [1])
    }
    await server.kill()
  }

  /// A server that has enough of PINGs gets half as many from the next connection.
  @Test(arguments: [("too_many_pings", 80), ("too_many_calls", 10)])
  func aServerThatIsAskedTooOftenIsAskedLess(words: String, seconds: Int) async throws {
    let server = try server { stream in
      stream.onEnd = {
        $0.connection.session.submitGoAway(.enhanceYourCalm, saying: words)
        $0.echo()
      }
    }
    var configuration = HTTP2ClientTransport.Configuration.defaults
    configuration.keepalive = Keepalive(time: .seconds(10))
    let transport = try HTTP2ClientTransport(
      target: "\(server.address)", configuration: configuration)
    try await withGRPCClient(transport: transport) { client in
      for _ in 0..<3 { try await EchoClient(client: client).expectEcho(of: [1]) }
      let time = await withCheckedContinuation {
        (continuation: CheckedContinuation<Duration?, Never>) in
        transport.channel.tell { continuation.resume(returning: $0.keepalive?.time) }
      }
      #expect(time == .seconds(seconds))
      #expect(await server.onLoop { $0.connections.count } == 3)
    }
    await server.kill()
  }

  /// It is sent twice, and the second time without words.
  @Test func whyAServerHasEndedTheConnectionIsInTheCallsErrors() async throws {
    let server = try server { stream in
      stream.onEnd = { $0.connection.terminate(.enhanceYourCalm, saying: "too_many_resets") }
    }
    try await withGRPCClient(transport: try transport()) { client in
      let response = try await EchoClient(client: client).unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .unavailable)
      #expect(
        error?.message.contains("GOAWAY with ENHANCE_YOUR_CALM (too_many_resets)") == true,
        "\(String(describing: error))")
    }
    await server.kill()
  }

  @Test func callsThatTheServerHasNotActedOnAreSentAgain() async throws {
    let goAways = Counter()
    let server = try server { stream in
      if stream.id == 5, goAways.next() == 0 {
        stream.connection.session.submitGoAway(.noError)
        stream.connection.setNeedsFlush()
      }
      stream.onEnd = { $0.echo() }
    }
    try await withGRPCClient(transport: try transport()) { client in
      let echo = EchoClient(client: client)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in UInt8(0)..<50 {
          group.addTask {
            let message = try await echo.echo([number])
            #expect(message == [number])
          }
        }
        try await group.waitForAll()
      }
    }
    await server.kill()
  }

  @Test func aServerThatGoesSilentIsGivenUp() async throws {
    // It sends its settings and never anything again.
    let loop = EventLoopGroup.shared.next()
    let listener = try ListeningSocket(.unixDomainSocket(path: path), on: loop)
    loop.execute {
      try? listener.start { descriptor, _ in
        let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
        write(descriptor, settings, settings.count)
      }
    }
    var configuration = configuration
    configuration.keepalive = Keepalive(time: .milliseconds(20), timeout: .milliseconds(20))
    let transport = try transport(configuration)
    try await withGRPCClient(transport: transport) { client in
      let response = try await EchoClient(client: client).unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .unavailable)
      #expect(error?.message.contains("keepalive") == true)
      let way = await transport.status.endpoints?.first?.subchannels.first
      #expect(way?.disconnectErrors == ["connection timed out": 1])
    }
    loop.execute { listener.close() }
  }

  @Test func aServerThatSendsNoSettingsIsNotReady() async throws {
    let loop = EventLoopGroup.shared.next()
    let listener = try ListeningSocket(.unixDomainSocket(path: path), on: loop)
    loop.execute { try? listener.start { _, _ in } }
    var configuration = configuration
    configuration.connectTimeout = .milliseconds(20)
    try await withGRPCClient(transport: try transport(configuration)) { client in
      let response = try await EchoClient(client: client).unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .unavailable)
      #expect(error?.message.contains("did not answer within") == true)
    }
    loop.execute { listener.close() }
  }

  @Test func pickFirstTakesTheSecondAddressIfTheFirstFails() async throws {
    let server = try ScriptedServer(.ipv4(host: "127.0.0.1", port: 0))
    let port = try #require(server.address.ipv4?.port)
    let transport = try HTTP2ClientTransport(
      target: .ipv4(pairs: [("127.0.0.1", 1), ("127.0.0.1", port)]), configuration: configuration)
    try await withGRPCClient(transport: transport) { client in
      let message3 = try await EchoClient(client: client).echo([1])
      #expect(message3 == [1])
    }
    await server.kill()
  }

  @Test func roundRobinFollowsReplicasAsTheyJoinLeaveAndRestart() async throws {
    func replica(_ name: String) throws -> ScriptedServer {
      try ScriptedServer(.unixDomainSocket(path: "\(folder.path)/\(name).sock")) {
        $0.onEnd = { $0.respond(messages: [Array(name.utf8)]) }
      }
    }
    var configuration = configuration
    configuration.loadBalancing = .roundRobin
    // So long that a test which waits one out does not end in time.
    configuration.backoff = ConnectionBackoff(initial: .seconds(300), maximum: .seconds(300))
    let transport = try HTTP2ClientTransport(
      target: .unixDirectory(path: folder.path), configuration: configuration)
    try await withGRPCClient(transport: transport) { client in
      let echo = EchoClient(client: client)
      /// Calls until replies come from these replicas only, and from each in turn.
      func expect(_ names: String...) async throws {
        var row: [String] = []
        while row.suffix(2 * names.count) != names + names {
          let response = try await echo.unary([], options: waiting)
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
      target: .unixDirectory(path: folder.path), configuration: configuration)
    try await withGRPCClient(transport: transport) { client in
      let response = try await EchoClient(client: client).unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .unavailable)
    }
  }

  @Test func shutdownWaitsForCallsAndNothingElse() async throws {
    let (arrivals, arrival) = AsyncStream.makeStream(of: ScriptedStream.self)
    let server = try server { $0.onEnd = { arrival.yield($0) } }
    let client = GRPCClient(transport: try transport())
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
    var configuration = configuration
    configuration.backoff = ConnectionBackoff(initial: .seconds(3600), maximum: .seconds(3600))
    let transport = try transport(configuration)
    let client = GRPCClient(transport: transport)
    try await withThrowingTaskGroup { group in
      group.addTask { try await client.runConnections() }
      for await state in transport.connectivityStates where state == .transientFailure { break }
      async let response = EchoClient(client: client).unary([1], options: waiting)
      client.beginGracefulShutdown()
      let outcome = try? await response
      #expect(outcome == nil || (try? outcome?.message) == nil)
      try await group.waitForAll()
    }
  }

  @Test func cancellingTheClientFailsItsCalls() async throws {
    let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    let server = try server { _ in arrival.yield() }
    let client = GRPCClient(transport: try transport())
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

  @Test func connectivityStatesAreToldUntilTheEnd() async throws {
    let server = try server()
    let transport = try transport()
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
    await server.kill()
  }

  @Test func aChannelRunsOnce() async throws {
    let transport = try transport()
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
