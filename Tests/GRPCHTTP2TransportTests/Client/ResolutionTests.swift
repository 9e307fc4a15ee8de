import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

/// How a channel goes on asking who its servers are.
@Suite(.timeLimit(.minutes(1))) struct ResolutionTests {
  private let socket = TestSocket()

  @Test func aResolverThatFindsNothingFailsCalls() async throws {
    let target = PushedTarget()
    target.finish()
    let transport = try target.transport { $0.backoff = socket.configuration.backoff }
    try await withGRPCClient(transport: transport) { client in
      let response = try await EchoClient(client: client).unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .unavailable && error?.message.contains("found nothing") == true)
    }
  }

  /// A target that is looked up when its channel asks, at first in vain.
  private struct Pulled: ResolvableTarget, NameResolverFactory {
    let address: SocketAddress
    let lookups = Counter()

    func resolver(for target: Pulled) -> NameResolver {
      let results = AsyncThrowingStream {
        NameResolutionResult(
          endpoints: target.lookups.next() < 3 ? [] : [Endpoint(addresses: [target.address])])
      }
      return NameResolver(
        names: RPCAsyncSequence(wrapping: results), updateMode: .pull, authority: nil)
    }
  }

  @Test func aNameWithoutAddressesIsLookedUpAgain() async throws {
    let server = try socket.server()
    let target = Pulled(address: server.address)
    var configuration = socket.configuration
    configuration.minimumResolutionInterval = .seconds(600)
    var registry = NameResolverRegistry()
    registry.registerFactory(target)
    configuration.resolverRegistry = registry
    let transport = try HTTP2ClientTransport(target: target, configuration: configuration)
    try await withGRPCClient(transport: transport) { client in
      try await EchoClient(client: client).expectEcho(of: [1], options: .waiting)
    }
    await server.kill()
  }
}
