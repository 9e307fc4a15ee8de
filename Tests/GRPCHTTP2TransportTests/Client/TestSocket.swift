import GRPCCore
import KartTesting

@testable import GRPCHTTP2Transport

/// A Unix socket in a folder of its own, at which servers listen and to which channels connect.
struct TestSocket {
  let folder = TemporaryFolder()

  var path: String { "\(folder.path)/s.sock" }

  /// One with which lost connections are soon made again.
  var configuration: HTTP2ClientTransport.Configuration {
    var configuration = HTTP2ClientTransport.Configuration.defaults
    configuration.backoff = ConnectionBackoff(
      initial: .milliseconds(10), maximum: .milliseconds(50))
    return configuration
  }

  func server(
    _ handler: @escaping ScriptedServer.Handler = { $0.onEnd = { $0.echo() } }
  ) throws -> ScriptedServer {
    try ScriptedServer(.unixDomainSocket(path: path), handler: handler)
  }

  /// Runs a client of a server that does as told.
  func withServer<Result: Sendable>(
    settings: HTTP2Settings = HTTP2Settings(),
    configuration: HTTP2ClientTransport.Configuration = .defaults,
    handler: @escaping ScriptedServer.Handler,
    _ body: (EchoClient, ScriptedServer) async throws -> Result
  ) async throws -> Result {
    let server = try ScriptedServer(
      .unixDomainSocket(path: path), settings: settings, handler: handler)
    let result = try await withGRPCClient(transport: transport(configuration)) {
      try await body(EchoClient(client: $0), server)
    }
    await server.kill()
    return result
  }

  func transport(
    _ configuration: HTTP2ClientTransport.Configuration? = nil
  ) throws -> HTTP2ClientTransport {
    try HTTP2ClientTransport(
      target: .unixDomainSocket(path: path), configuration: configuration ?? self.configuration)
  }
}

extension CallOptions {
  /// Options of calls that wait for a connection.
  static var waiting: CallOptions {
    var options = CallOptions.defaults
    options.waitForReady = true
    return options
  }
}
