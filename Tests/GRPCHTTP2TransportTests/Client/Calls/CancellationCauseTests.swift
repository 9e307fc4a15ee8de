import GRPCCore
import KartTesting
import Testing

@testable import GRPCHTTP2Transport

/// Calls that are cancelled before they are answered, and what is said of the server.
@Suite(.timeLimit(.minutes(1))) struct CancellationCauseTests {
  private let folder = TemporaryFolder()

  @Test(arguments: [nil, RPCError(code: .unavailable, message: "It is silent.")])
  func saysWhetherTheServerIsAtFault(error: RPCError?) async throws {
    let address = SocketAddress.unixDomainSocket(path: "\(folder.path)/s.sock")
    let server = try ScriptedServer(address) { _ in }
    let transport = try HTTP2ClientTransport(target: "\(address)")
    try await withGRPCClient(transport: transport) { client in
      for isUnary in [false, true] {
        let cause = CancellationCause()
        var options = CallOptions.defaults
        options.cancellationCause = cause
        let echo = EchoClient(client: client)
        let before = await transport.status.endpoints?.first?.subchannels.first
        let call = Task { [options] in
          if isUnary {
            _ = try await echo.echo([1], options: options)
          } else {
            try await echo.expand(1, options: options) { response in
              for try await _ in response.messages {}
            }
          }
        }
        while await transport.status.endpoints?.first?.subchannels.first?.picks
          != (before?.picks ?? 0) + 1
        {}
        cause.error = error
        call.cancel()
        let end = await #expect(throws: RPCError.self) { try await call.value }
        #expect(end?.code == error?.code ?? .cancelled)
        if let error { #expect(end?.message == error.message) }
        let after = await transport.status.endpoints?.first?.subchannels.first
        let failures = (after?.failedCalls ?? 0) - (before?.failedCalls ?? 0)
        #expect(failures == (error == nil ? 0 : 1))
      }
    }
    await server.kill()
  }
}
