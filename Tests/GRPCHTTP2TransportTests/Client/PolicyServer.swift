import GRPCCore
import KartTesting

@testable import GRPCHTTP2Transport

/// A server whose clients make their calls more than once.
struct PolicyServer {
  private let folder = TemporaryFolder()

  /// Makes a call again that ends with UNAVAILABLE.
  static func retry(_ attempts: Int = 4) -> RPCExecutionPolicy {
    .retry(
      RetryPolicy(
        maxAttempts: attempts, initialBackoff: .milliseconds(1), maxBackoff: .milliseconds(2),
        backoffMultiplier: 2, retryableStatusCodes: [.unavailable]))
  }

  /// Makes another attempt after a delay, or a failure with one of the codes.
  static func hedge(
    _ delay: Duration, _ codes: Set<Status.Code> = [.unavailable]
  ) -> RPCExecutionPolicy {
    .hedge(HedgingPolicy(maxAttempts: 3, hedgingDelay: delay, nonFatalStatusCodes: codes))
  }

  /// Runs a client whose calls have a policy.
  func with<Result: Sendable>(
    _ policy: RPCExecutionPolicy = retry(), throttling: ServiceConfig.RetryThrottling? = nil,
    timeout: Duration? = nil, retryBufferBytes: Int = 256 << 10,
    settings: HTTP2Settings = HTTP2Settings(), interceptors: [any CallAttemptInterceptor] = [],
    handler: @escaping ScriptedServer.Handler,
    _ body: (EchoClient, HTTP2ClientTransport, ScriptedServer) async throws -> Result
  ) async throws -> Result {
    let address = SocketAddress.unixDomainSocket(path: "\(folder.path)/s.sock")
    let server = try ScriptedServer(address, settings: settings, handler: handler)
    var configuration = HTTP2ClientTransport.Configuration.defaults
    configuration.retryBufferBytes = retryBufferBytes
    configuration.attemptInterceptors = interceptors
    configuration.serviceConfig = ServiceConfig(
      methodConfig: [
        MethodConfig(
          names: [MethodConfig.Name(service: "test.Echo")], timeout: timeout,
          executionPolicy: policy)
      ], retryThrottling: throttling)
    let transport = try HTTP2ClientTransport(
      target: "\(address)", configuration: configuration)
    let result = try await withGRPCClient(transport: transport) {
      try await body(EchoClient(client: $0), transport, server)
    }
    await server.kill()
    return result
  }

  /// Fails so many requests in a certain way, and answers the others with what was sent and how often.
  static func failing(
    _ count: Int, _ fail: @escaping @Sendable (ScriptedStream) -> Void = { $0.fail("14") }
  ) -> ScriptedServer.Handler {
    let seen = Counter()
    return {
      $0.onEnd = {
        if seen.next() < count { return fail($0) }
        let attempts = $0.headers["grpc-previous-rpc-attempts"] ?? "none"
        $0.respond(
          headers: ScriptedStream.usualHeaders + [("attempts", attempts)], messages: [$0.message])
      }
    }
  }
}

extension ScriptedStream {
  /// Fails without having begun a response.
  func fail(_ status: String, _ trailers: [(String, String)] = []) {
    refuse(Self.usualHeaders + [("grpc-status", status)] + trailers)
  }
}
