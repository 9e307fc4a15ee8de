import GRPCCore
import GRPCHTTP2Transport
import KartTesting
import MeshTesting
import Testing

/// Our client and servers that leave, refuse, stall and fall silent, which we did not write.
@Suite(
  .serialized, .timeLimit(.minutes(5)),
  .enabled(if: Installation.hasClients, "make test fetches h2"))
struct ForeignServerTests {
  private let folder: TemporaryFolder

  init() throws { folder = TemporaryFolder() }

  private var address: String { "unix:\(folder.file("s.sock"))" }

  private var configuration: HTTP2ClientTransport.Configuration {
    var configuration = HTTP2ClientTransport.Configuration.defaults
    configuration.backoff = ConnectionBackoff(
      initial: .milliseconds(20), maximum: .milliseconds(100))
    return configuration
  }

  /// Runs a client of h2's server, which does on its first connection what the scenario says.
  private func withServer(
    _ scenario: String, _ change: (inout HTTP2ClientTransport.Configuration) -> Void = { _ in },
    _ body: (ByteCalls, HTTP2ClientTransport) async throws -> Void
  ) async throws {
    let server = try Python.run("h2_server.py", address, scenario)
    try await server.output.first { $0.hasPrefix("listening on ") }
    var configuration = configuration
    change(&configuration)
    let transport = try HTTP2ClientTransport(target: address, configuration: configuration)
    try await withGRPCClient(transport: transport) {
      try await body(ByteCalls(client: $0), transport)
    }
    withExtendedLifetime(server) {}
  }

  /// By which connection a call was answered.
  private func connection(_ response: ClientResponse<[UInt8]>) -> String? {
    response.metadata[stringValues: "connection-number"].first { _ in true }
  }

  /// A call that the server has not acted on is sent again, and one that it has goes on.
  @Test(arguments: [
    ("goaway_before_settings", "2"), ("goaway_idle", "2"),
    ("goaway_between_headers_and_data", "1"), ("goaway_between_headers_and_data_below", "2"),
    ("goaway_below", "2"), ("goaway_during_response", "1"), ("goaway_twice", "1"),
    ("goaway_twice_below", "2"), ("goaway_calm_down", "2"), ("refused", "1"),
    ("slow_settings", "1"),
  ]) func noCallFails(scenario: String, connection: String) async throws {
    try await withServer(scenario) { calls, _ in
      // Too large for the first window, so that some of it follows the headers for sure.
      let message = [UInt8](repeating: 7, count: 100_000)
      let response = try await calls.unary(message)
      #expect(try response.message == message)
      #expect(self.connection(response) == connection)
      // And so it goes on.
      for number in UInt8(0)..<3 {
        let message = try await calls.unary([number]).message
        #expect(message == [number])
      }
    }
  }

  @Test func ofTwoCallsOneGoesOnAndOneIsSentAgain() async throws {
    try await withServer("goaway_of_two") { calls, _ in
      async let first = calls.unary([1])
      async let second = calls.unary([2])
      let responses = [try await first, try await second]
      #expect(try responses.map { try $0.message } == [[1], [2]])
      #expect(responses.compactMap(connection).sorted() == ["1", "2"])
    }
  }

  @Test(arguments: [
    ("refused_twice", RPCError.Code.unavailable), ("failed", .internalError),
  ]) func whatTheServerMayHaveActedOnFails(scenario: String, code: RPCError.Code) async throws {
    try await withServer(scenario) { calls, _ in
      let response = try await calls.unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == code)
      let message = try await calls.unary([2]).message
      #expect(message == [2])
    }
  }

  @Test func aServerThatSendsNoSettingsIsLeft() async throws {
    try await withServer("no_settings", { $0.connectTimeout = .milliseconds(100) }) { calls, _ in
      let response = try await calls.unary([1])
      #expect(connection(response) == "2")
    }
  }

  @Test func aConnectionThatIsHalfOpenIsLeft() async throws {
    try await withServer(
      "half_open", { $0.keepalive = Keepalive(time: .milliseconds(50), timeout: .milliseconds(50)) }
    ) { calls, transport in
      let response = try await calls.unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .unavailable && error?.message.contains("keepalive") == true)
      let second = try await calls.unary([2])
      #expect(connection(second) == "2")
      let way = await transport.status.endpoints?.first?.subchannels.first
      #expect(way?.disconnectErrors == ["connection timed out": 1])
    }
  }

  // MARK: Connections that grow old

  /// Makes calls of both kinds all the time until the server has sent its clients away often.
  private func expectNoFailure(of server: RunningProcess) async throws {
    try await server.output.first { $0.hasPrefix("listening on ") }
    let transport = try HTTP2ClientTransport(target: address, configuration: configuration)
    try await withGRPCClient(transport: transport) { client in
      let calls = ByteCalls(client: client)
      let enough = Latch<Void>()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<16 {
          group.addTask {
            var number: UInt8 = 0
            while enough.current == nil {
              number &+= 1
              let message = try await calls.unary([number]).message
              #expect(message == [number])
            }
          }
        }
        for _ in 0..<4 {
          group.addTask {
            while enough.current == nil {
              let numbers = try await calls.bidirectional(50)
              #expect(numbers == Array(0..<50))
            }
          }
        }
        group.addTask {
          var departures = 0
          while departures < 10 {
            // A call's time each, so as not to look all the time.
            _ = try await calls.unary([0]).message
            departures =
              await transport.status.endpoints?.first?.subchannels.first?
              .disconnectErrors["GOAWAY NO_ERROR"] ?? 0
          }
          enough.close(with: ())
        }
        try await group.waitForAll()
      }
      #expect(await transport.status.retries == 0)
    }
    withExtendedLifetime(server) {}
  }

  @Test func noCallFailsAsGrpciosConnectionsGrowOld() async throws {
    try await expectNoFailure(of: try Python.run("aging_server.py", address, "100"))
  }

  @Test(.enabled(if: CppServer.canBeBuilt, "Debian's g++ and libgrpc++-dev build it"))
  func noCallFailsAsCppsConnectionsGrowOld() async throws {
    try await expectNoFailure(
      of: try RunningProcess(try await CppServer.executable, [address, "100"]))
  }
}
