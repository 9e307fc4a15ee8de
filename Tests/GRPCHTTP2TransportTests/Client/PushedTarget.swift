import GRPCCore

@testable import GRPCHTTP2Transport

/// A target of which a channel learns what the test tells it, when it does.
struct PushedTarget: ResolvableTarget, NameResolverFactory {
  private let results: AsyncStream<NameResolutionResult>
  private let continuation: AsyncStream<NameResolutionResult>.Continuation

  init() {
    (results, continuation) = AsyncStream.makeStream()
  }

  /// A channel to the target.
  func transport(
    _ change: (inout HTTP2ClientTransport.Configuration) -> Void = { _ in }
  ) throws -> HTTP2ClientTransport {
    var configuration = HTTP2ClientTransport.Configuration.defaults
    var registry = NameResolverRegistry()
    registry.registerFactory(self)
    configuration.resolverRegistry = registry
    change(&configuration)
    return try HTTP2ClientTransport(target: self, configuration: configuration)
  }

  /// Tells the channel of its servers and their configuration.
  func resolve(_ addresses: [SocketAddress], _ config: Result<ServiceConfig, RPCError>? = nil) {
    continuation.yield(
      NameResolutionResult(
        endpoints: addresses.map { Endpoint(addresses: [$0]) }, serviceConfig: config))
  }

  /// Lets the resolver end.
  func finish() { continuation.finish() }

  func resolver(for target: PushedTarget) -> NameResolver {
    NameResolver(
      names: RPCAsyncSequence(wrapping: target.results.map { $0 as NameResolutionResult }),
      updateMode: .push, authority: nil)
  }
}
