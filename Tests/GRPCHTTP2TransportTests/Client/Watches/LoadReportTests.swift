import GRPCCore
import KartTesting
import Testing

@testable import GRPCHTTP2Transport

/// Servers that report their load, and clients that balance by it.
@Suite(.timeLimit(.minutes(1))) struct LoadReportTests {
  private let folder = TemporaryFolder()

  private func withServer(
    _ name: String, _ load: ServerLoad, interceptors: [any ServerInterceptor] = [],
    _ body: (SocketAddress) async throws -> Void
  ) async throws {
    let address = SocketAddress.unixDomainSocket(path: "\(folder.path)/\(name).sock")
    try await withGRPCServer(
      transport: HTTP2ServerTransport(listeningOn: address),
      services: [EchoService(), load.service(minimumInterval: .milliseconds(1))],
      interceptors: interceptors
    ) { server in
      _ = try await server.transport.listeningAddress
      try await body(address)
      server.beginGracefulShutdown()
    }
  }

  @Test func everyResponseCarriesAReport() async throws {
    let load = ServerLoad()
    load.report = LoadReport(cpuUtilization: 0.5, requestsPerSecond: 12)
    try await withServer("s", load, interceptors: [load.interceptor]) { address in
      try await withGRPCClient(transport: HTTP2ClientTransport(target: "\(address)")) { client in
        let response = try await EchoClient(client: client).unary([1])
        #expect(response.trailingMetadata.loadReport == load.report)
      }
    }
  }

  @Test func callsGoWhereTheLoadIsLow() async throws {
    let loads = [ServerLoad(), ServerLoad()]
    loads[0].report = LoadReport(applicationUtilization: 0.1, requestsPerSecond: 100)
    loads[1].report = LoadReport(applicationUtilization: 0.9, requestsPerSecond: 100)
    try await withServer("a", loads[0]) { _ in
      try await withServer("b", loads[1]) { _ in
        var configuration = HTTP2ClientTransport.Configuration.defaults
        configuration.serviceConfig = ServiceConfig(loadBalancingConfig: [
          ServiceConfig.LoadBalancingConfig(
            name: "weighted_round_robin",
            configuration: .object([
              "enableOobLoadReport": .bool(true), "oobReportingPeriod": .string("0.001s"),
              "blackoutPeriod": .string("0s"), "weightUpdatePeriod": .string("0.1s"),
            ]))
        ])
        let transport = try HTTP2ClientTransport(
          target: .unixDirectory(path: folder.path), configuration: configuration)
        func picks() async -> [Int] {
          (await transport.status.endpoints ?? []).flatMap(\.subchannels).map(\.picks)
        }
        try await withGRPCClient(transport: transport) { client in
          let echo = EchoClient(client: client)
          var last = [0, 0]
          var gained = [0, 0]
          while gained[0] < 80 {
            for _ in 0..<100 { try await echo.expectEcho(of: [1]) }
            let now = await picks()
            guard now.count == 2 else { continue }
            gained = zip(now, last).map { $0 - $1 }
            last = now
          }
          // The other one is not starved.
          while gained[1] == 0 {
            try await echo.expectEcho(of: [1])
            gained[1] = await picks()[1] - last[1]
          }
        }
      }
    }
  }

  @Test(arguments: [Duration.zero, .milliseconds(1), .seconds(200), .nanoseconds(7_000_000_001)])
  func requestsAreReadAsTheyAreWritten(interval: Duration) {
    let request = LoadReportRequest(interval: interval)
    #expect(LoadReportRequest(serialized: request.serialized) == request)
  }

  @Test(arguments: [[0x0a], [0x0a, 5], [0x0a, 2, 0x08], [0xff], [0x08, 1]] as [[UInt8]])
  func whatIsNoRequestIsRefused(bytes: [UInt8]) {
    #expect(LoadReportRequest(serialized: bytes) == nil)
  }
}
