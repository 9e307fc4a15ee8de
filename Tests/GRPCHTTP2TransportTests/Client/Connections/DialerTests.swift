import EventLoop
import GRPCCore
import Glibc
import KartTesting
import Synchronization
import Testing

@testable import GRPCHTTP2Transport

/// Connections that a caller makes, and those through a virtual machine's monitor.
@Suite(.timeLimit(.minutes(1))) struct DialerTests {
  private let folder = TemporaryFolder()

  private func withClient<Result: Sendable>(
    _ dialer: any Dialer, authority: String? = nil,
    _ body: (EchoClient) async throws -> Result
  ) async throws -> Result {
    var configuration = HTTP2ClientTransport.Configuration.defaults
    configuration.dialer = dialer
    configuration.authority = authority
    configuration.connectTimeout = .seconds(30)
    let transport = try HTTP2ClientTransport(
      target: .unixDomainSocket(path: "\(folder.path)/monitor.sock"), configuration: configuration)
    return try await withGRPCClient(transport: transport) {
      try await body(EchoClient(client: $0))
    }
  }

  private func failure(_ dialer: any Dialer) async throws -> String? {
    try await withClient(dialer) { echo in
      let response = try await echo.unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .unavailable)
      return error?.message
    }
  }

  private struct ClosureDialer: Dialer {
    let body: @Sendable (SocketAddress) async throws -> Int32

    func dial(_ address: SocketAddress, on eventLoop: EventLoop) async throws -> Int32 {
      try await body(address)
    }
  }

  /// A monitor that answers a request with these bytes, and passes the connection to a server if they begin
  /// with OK.
  private func monitor(
    answering answer: String, _ requests: AsyncStream<String>.Continuation? = nil
  ) throws -> Monitor {
    let server = try ScriptedServer(.unixDomainSocket(path: "\(folder.path)/guest.sock")) {
      $0.onEnd = {
        $0.respond(
          headers: ScriptedStream.usualHeaders + [("authority", $0.headers[":authority"] ?? "")],
          messages: [$0.message])
      }
    }
    // A loop of its own, since it blocks while the client takes its time to write a line.
    let loops = EventLoopGroup(count: 1)
    let loop = loops.loops[0]
    let listener = try ListeningSocket(
      .unixDomainSocket(path: "\(folder.path)/monitor.sock"), on: loop)
    loop.execute {
      try? listener.start { descriptor, _ in
        _ = fcntl(descriptor, F_SETFL, 0)
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while recv(descriptor, &byte, 1, 0) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
        requests?.yield(String(decoding: line, as: UTF8.self))
        let bytes = Array(answer.utf8)
        send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        guard answer.hasPrefix("OK 1") else { close(descriptor); return }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        server.loop.execute { server.accept(descriptor) }
      }
    }
    return Monitor(server: server, listener: listener, loops: loops)
  }

  /// A monitor and the guest behind it.
  private struct Monitor {
    let server: ScriptedServer
    let listener: ListeningSocket
    let loops: EventLoopGroup

    func stop() async {
      await withCheckedContinuation { continuation in
        loops.loops[0].execute { [listener] in
          listener.close()
          continuation.resume()
        }
      }
      await loops.shutdown()
      await server.kill()
    }
  }

  @Test func aMonitorForwardsToItsGuest() async throws {
    let (requests, request) = AsyncStream.makeStream(of: String.self)
    let monitor = try monitor(answering: "OK 1073741824\n", request)
    try await withClient(.forwardedVsock(port: 5000)) { echo in
      let response = try await echo.unary([1, 2])
      #expect(try response.message == [1, 2])
      #expect(Array(response.metadata[stringValues: "authority"]) == ["localhost"])
      let large = [UInt8](repeating: 7, count: 300_000)
      try await echo.expectEcho(of: large)
    }
    var lines = requests.makeAsyncIterator()
    #expect(await lines.next() == "CONNECT 5000")
    await monitor.stop()
  }

  @Test(arguments: [
    ("", "closed the connection"), ("NO\n", "it answered “NO”"), ("OK\n", "it answered “OK”"),
    ("OK x\n", "it answered “OK x”"),
    (String(repeating: "x", count: 100), "closed the connection"),
  ])
  func aMonitorThatRefusesIsAnError(answer: String, reason: String) async throws {
    let monitor = try monitor(answering: answer)
    let message = try await failure(.forwardedVsock(port: 5000))
    #expect(message?.contains("does not connect to vsock port 5000") == true)
    #expect(message?.contains(reason) == true, "\(message ?? "")")
    await monitor.stop()
  }

  @Test func aMonitorThatIsNotThereIsAnError() async throws {
    let message = try await failure(.forwardedVsock(port: 5000))
    #expect(message?.contains("monitor.sock") == true)
  }

  @Test func aCallersSocketCarriesCalls() async throws {
    let server = try ScriptedServer(.ipv4(host: "127.0.0.1", port: 0)) {
      $0.onEnd = { $0.respond(messages: [Array(($0.headers[":authority"] ?? "").utf8)]) }
    }
    let dialed = Mutex<[SocketAddress]>([])
    let address = server.address
    let dialer = ClosureDialer { target in
      dialed.withLock { $0.append(target) }
      // A blocking socket, as a caller's may be.
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      let storage = try SocketAddressStorage(address)
      _ = storage.withSockaddr { connect(descriptor, $0, $1) }
      return descriptor
    }
    try await withClient(dialer, authority: "kart.example") { echo in
      let authority = try await echo.echo([])
      #expect(authority == Array("kart.example".utf8))
    }
    #expect(
      dialed.withLock { $0 } == [.unixDomainSocket(path: "\(folder.path)/monitor.sock")])
    await server.kill()
  }

  @Test func whatIsNoConnectedSocketIsRefused() async throws {
    let file = ClosureDialer { _ in open("/dev/null", O_RDWR) }
    #expect(try await failure(file)?.contains("dialed descriptor") == true)
    let unconnected = ClosureDialer { _ in socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
    #expect(try await failure(unconnected)?.contains("dialed descriptor") == true)
    let nothing = ClosureDialer { _ in -1 }
    #expect(try await failure(nothing)?.contains("dialed descriptor") == true)
    struct Refusal: Error {}
    let refusal = ClosureDialer { _ in throw Refusal() }
    #expect(try await failure(refusal)?.contains("Refusal") == true)
  }

  @Test func aDialerThatHangsIsCancelledAtShutdown() async throws {
    let (starts, start) = AsyncStream.makeStream(of: Void.self)
    let (ends, end) = AsyncStream.makeStream(of: Bool.self)
    let dialer = ClosureDialer { _ in
      start.yield()
      do {
        try await Task.sleep(for: .seconds(3600))
      } catch {
        end.yield(error is CancellationError)
        throw error
      }
      return -1
    }
    try await withClient(dialer) { echo in
      let call = Task { try await echo.unary([1]) }
      for await _ in starts { break }
      call.cancel()
      _ = try await call.value
    }
    for await isCancelled in ends {
      #expect(isCancelled)
      break
    }
  }

  @Test func aDialerIsAskedAgainWhenItsConnectionIsLost() async throws {
    let server = try ScriptedServer(.ipv4(host: "127.0.0.1", port: 0))
    let address = server.address
    let dials = Counter()
    let dialer = ClosureDialer { _ in
      _ = dials.next()
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      let storage = try SocketAddressStorage(address)
      _ = storage.withSockaddr { connect(descriptor, $0, $1) }
      return descriptor
    }
    try await withClient(dialer) { echo in
      for number in UInt8(0)..<3 {
        // One may still be sent over the connection that was just lost.
        while try await !succeeds(echo, number) { try Task.checkCancellation() }
        await server.onLoop { for connection in $0.connections { connection.close() } }
      }
    }
    #expect(dials.next() >= 3)
    await server.kill()
  }

  private func succeeds(_ echo: EchoClient, _ number: UInt8) async throws -> Bool {
    let response = try await echo.unary([number], options: .waiting)
    return (try? response.message) == [number]
  }
}
