import EventLoop
import GRPCCore
import Glibc
import Testing

@testable import GRPCHTTP2Transport

/// What becomes of calls and channels when connections are lost, or were never of use.
@Suite(.timeLimit(.minutes(1))) struct LostConnectionTests {
  private let socket = TestSocket()

  @Test func aLostConnectionFailsTheCallsItCarriedAndTheNextOneReconnects() async throws {
    let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    let first = try socket.server { _ in arrival.yield() }
    let transport = try socket.transport()
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
      let second = try socket.server()
      let message = try await echo.echo([3])
      #expect(message == [3])
      await second.kill()
    }
  }

  @Test func aSocketThatIsBackIsConnectedToWhateverTheBackoff() async throws {
    var configuration = socket.configuration
    configuration.backoff = ConnectionBackoff(initial: .seconds(3600), maximum: .seconds(3600))
    let transport = try socket.transport(configuration)
    try await withGRPCClient(transport: transport) { client in
      let echo = EchoClient(client: client)
      for await state in transport.connectivityStates where state == .transientFailure { break }
      let first = try socket.server()
      let message = try await echo.echo([1], options: .waiting)
      #expect(message == [1])
      await first.kill()
      for await state in transport.connectivityStates where state != .ready { break }
      // One attempt to connect, which nobody answers.
      let response = try await echo.unary([2])
      #expect(throws: RPCError.self) { try response.message }
      let second = try socket.server()
      let late = try await echo.echo([3], options: .waiting)
      #expect(late == [3])
      await second.kill()
    }
  }

  @Test func aLostConnectionFailsNoOtherCalls() async throws {
    let (arrivals, arrival) = AsyncStream.makeStream(of: ScriptedStream.self)
    let servers = try ["a", "b"].map { name in
      try ScriptedServer(.unixDomainSocket(path: "\(socket.folder.path)/\(name).sock")) {
        $0.onEnd = { $0.respond(messages: [Array(name.utf8)]) }
      }
    }
    var configuration = socket.configuration
    configuration.loadBalancing = .roundRobin
    let transport = try HTTP2ClientTransport(
      target: .unixDirectory(path: socket.folder.path), configuration: configuration)
    try await withGRPCClient(transport: transport) { client in
      let echo = EchoClient(client: client)
      // Until both are connected to.
      var names: Set<[UInt8]> = []
      while names.count < 2 { names.insert(try await echo.echo([], options: .waiting)) }
      for server in servers {
        await server.onLoop { $0.handler = { $0.onEnd = { arrival.yield($0) } } }
      }
      try await withThrowingTaskGroup(of: (UInt8, RPCError.Code?).self) { group in
        for number in UInt8(0)..<20 {
          group.addTask {
            let response = try await echo.unary([number], options: .waiting)
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

  @Test func aServerThatGoesSilentIsGivenUp() async throws {
    // It sends its settings and never anything again.
    let loop = EventLoopGroup.shared.next()
    let listener = try ListeningSocket(.unixDomainSocket(path: socket.path), on: loop)
    loop.execute {
      try? listener.start { descriptor, _ in
        let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
        write(descriptor, settings, settings.count)
      }
    }
    var configuration = socket.configuration
    configuration.keepalive = Keepalive(time: .milliseconds(20), timeout: .milliseconds(20))
    let transport = try socket.transport(configuration)
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

  @Test(arguments: ["SSH-2.0-OpenSSH_9.2p1\r\n", "220 mail.example.org ESMTP ready to serve\r\n"])
  func whoDoesNotSpeakHTTP2IsSaidToNot(greeting: String) async throws {
    let loop = EventLoopGroup.shared.next()
    let listener = try ListeningSocket(.unixDomainSocket(path: socket.path), on: loop)
    loop.execute {
      try? listener.start { descriptor, _ in write(descriptor, greeting, greeting.utf8.count) }
    }
    try await withGRPCClient(transport: try socket.transport()) { client in
      let response = try await EchoClient(client: client).unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .unavailable)
      #expect(error?.message.contains("does not speak HTTP/2") == true)
    }
    loop.execute { listener.close() }
  }

  @Test func aServerThatSendsNoSettingsIsNotReady() async throws {
    let loop = EventLoopGroup.shared.next()
    let listener = try ListeningSocket(.unixDomainSocket(path: socket.path), on: loop)
    loop.execute { try? listener.start { _, _ in } }
    var configuration = socket.configuration
    configuration.connectTimeout = .milliseconds(20)
    try await withGRPCClient(transport: try socket.transport(configuration)) { client in
      let response = try await EchoClient(client: client).unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .unavailable)
      #expect(error?.message.contains("did not answer within") == true)
    }
    loop.execute { listener.close() }
  }
}
