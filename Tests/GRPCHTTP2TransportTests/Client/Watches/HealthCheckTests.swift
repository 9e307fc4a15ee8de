import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

/// What a channel makes of a server's health (A17), message by message.
@Suite(.timeLimit(.minutes(1))) struct HealthCheckTests {
  private let socket = TestSocket()

  /// UNKNOWN, SERVING, NOT_SERVING, SERVICE_UNKNOWN, and one that is not known yet.
  @Test(
    arguments: [
      ([], false), ([8, 0], false), ([8, 1], true), ([8, 2], false), ([8, 3], false),
      ([8, 9], false),
    ] as [([UInt8], Bool)])
  func onlyServingIsHealthy(message: [UInt8], isServing: Bool) {
    #expect(HealthCheckMessages.isServing(message) == isServing)
  }

  @Test(arguments: [0, 1, 127, 128, 300]) func servicesAreNamed(length: Int) {
    let name = [UInt8](repeating: 0x61, count: length)
    let request = HealthCheckMessages.request(String(decoding: name, as: UTF8.self))
    let size: [UInt8] =
      length < 128 ? [UInt8(length)] : [UInt8(length & 0x7f | 0x80), UInt8(length >> 7)]
    #expect(request == (length == 0 ? [] : [0x0a] + size + name))
  }

  /// What the channel makes of a stream of health that begins and ends in some way.
  @Test(
    arguments: [
      ("serving", nil, true), ("", "12", true), ("not serving", nil, false), ("", "14", false),
      ("", "13", false), ("serving", "14", false), ("not serving", "12", true),
    ] as [(String, String?, Bool)])
  func aStreamOfHealthDecides(told: String, end: String?, isHealthy: Bool) async throws {
    let watches = Counter()
    let server = try socket.server { stream in
      stream.onEnd = { stream in
        guard stream.headers[":path"] == "/grpc.health.v1.Health/Watch" else {
          return stream.echo()
        }
        // Only the first is answered; what follows it is still to be told.
        guard watches.next() == 0 else { return }
        stream.begin()
        if !told.isEmpty { stream.send([8, told == "serving" ? 1 : 2]) }
        if let end { stream.finish([("grpc-status", end)]) }
      }
    }
    var configuration = socket.configuration
    configuration.serviceConfig = ServiceConfig(
      loadBalancingConfig: [.roundRobin], healthCheckServiceName: "test.Echo")
    let transport = try socket.transport(configuration)
    try await withGRPCClient(transport: transport) { _ in
      let goal: ConnectivityState = isHealthy ? .ready : .transientFailure
      for await state in transport.connectivityStates where state == goal { break }
    }
    await server.kill()
  }

  private func transport(to paths: [String]) throws -> HTTP2ClientTransport {
    let target = PushedTarget()
    target.resolve(
      paths.map { .unixDomainSocket(path: $0) },
      .success(
        ServiceConfig(loadBalancingConfig: [.roundRobin], healthCheckServiceName: "test.Echo")))
    return try target.transport { $0.backoff = socket.configuration.backoff }
  }

  @Test func aStreamOfHealthThatIsRefusedIsBegunAgainAtItsServer() async throws {
    let paths = ["a", "b"].map { "\(socket.folder.path)/\($0).sock" }
    let watches = [Counter(), Counter()]
    let servers = try zip(paths, watches).map { path, watches in
      try ScriptedServer(.unixDomainSocket(path: path)) { stream in
        stream.onEnd = {
          if watches.next() == 0, path.hasSuffix("a.sock") { return $0.reset(.refusedStream) }
          $0.begin()
          $0.send([8, 1])
        }
      }
    }
    let transport = try transport(to: paths)
    try await withGRPCClient(transport: transport) { _ in
      while await transport.status.endpoints?.flatMap(\.subchannels).map(\.state)
        != [.ready, .ready]
      {
        await Task.yield()
      }
    }
    #expect(watches.map { $0.next() } == [2, 1])
    for server in servers { await server.kill() }
  }

  /// The stream of health is none that makes room by its end.
  @Test func aCallThatIsRefusedBesideAStreamOfHealthIsSentAgain() async throws {
    let echoes = Counter()
    let server = try socket.server { stream in
      stream.onEnd = {
        if $0.headers[":path"] == "/grpc.health.v1.Health/Watch" {
          $0.begin()
          $0.send([8, 1])
        } else if echoes.next() == 0 {
          $0.reset(.refusedStream)
        } else {
          $0.echo()
        }
      }
    }
    try await withGRPCClient(transport: transport(to: [socket.path])) { client in
      for number in UInt8(0)..<3 {
        try await EchoClient(client: client).expectEcho(of: [number], options: .waiting)
      }
    }
    await server.kill()
  }
}
