import GRPCCore

/// Finds the endpoints behind a target, and finds them anew when they change.
public struct NameResolver: Sendable {
  /// How the results come.
  public struct UpdateMode: Sendable, Hashable {
    enum Mode: Sendable, Hashable {
      case push
      case pull
    }

    let mode: Mode

    /// The resolver watches the name: the channel asks for the next result at once, and gets it when something
    /// has changed.
    public static var push: UpdateMode { UpdateMode(mode: .push) }

    /// The resolver looks the name up each time it is asked: the channel asks when connecting has failed.
    public static var pull: UpdateMode { UpdateMode(mode: .pull) }
  }

  /// The results. A thrown error leaves the last result in force, and the resolver is made anew.
  public let names: RPCAsyncSequence<NameResolutionResult, any Error>

  /// How the results come.
  public let updateMode: UpdateMode

  /// The `:authority` of calls to the target.
  public let authority: String?

  /// Makes a resolver.
  ///
  /// - Parameters:
  ///   - names: The results.
  ///   - updateMode: How the results come.
  ///   - authority: The `:authority` of calls to the target.
  public init(
    names: RPCAsyncSequence<NameResolutionResult, any Error>, updateMode: UpdateMode,
    authority: String?
  ) {
    self.names = names
    self.updateMode = updateMode
    self.authority = authority
  }
}

/// What a target was resolved to.
public struct NameResolutionResult: Sendable, Hashable {
  /// The endpoints, in the order in which to prefer them.
  public var endpoints: [Endpoint]

  /// The service's configuration, or why it cannot be read; nil if the resolver knows none.
  ///
  /// With one that cannot be read the last one that could stays in force.
  public var serviceConfig: Result<ServiceConfig, RPCError>?

  /// Why there are no endpoints, for the calls that fail for want of them.
  public var failure: RPCError?

  /// Makes a result.
  ///
  /// - Parameters:
  ///   - endpoints: The endpoints, in the order in which to prefer them.
  ///   - serviceConfig: The service's configuration, or why it cannot be read.
  ///   - failure: Why there are no endpoints, for the calls that fail for want of them.
  public init(
    endpoints: [Endpoint], serviceConfig: Result<ServiceConfig, RPCError>? = nil,
    failure: RPCError? = nil
  ) {
    self.endpoints = endpoints
    self.serviceConfig = serviceConfig
    self.failure = failure
  }
}

/// Makes resolvers for one type of target.
public protocol NameResolverFactory<Target>: Sendable {
  /// The type of target.
  associatedtype Target: ResolvableTarget

  /// Makes a resolver.
  ///
  /// - Parameter target: What to resolve.
  /// - Returns: The resolver.
  func resolver(for target: Target) -> NameResolver
}

extension NameResolverFactory {
  /// Makes a resolver if the target is of this factory's type.
  func resolver(ifAcceptable target: some ResolvableTarget) -> NameResolver? {
    (target as? Target).map { resolver(for: $0) }
  }
}

extension NameResolver {
  /// A resolver whose one result is these addresses, each of them an endpoint.
  static func fixed(_ addresses: [SocketAddress], authority: String?) -> NameResolver {
    let results = AsyncThrowingStream<NameResolutionResult, any Error> { continuation in
      continuation.yield(
        NameResolutionResult(endpoints: addresses.map { Endpoint(addresses: [$0]) }))
      continuation.finish()
    }
    return NameResolver(
      names: RPCAsyncSequence(wrapping: results), updateMode: .push, authority: authority)
  }
}
