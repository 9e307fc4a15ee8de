import EventLoop
import GRPCCore

/// A client's channel to a target, over HTTP/2.
///
/// The channel resolves its target, connects to the endpoints as its load-balancing policy wants, and
/// sends each call over one of the connections. It lives on one event loop: calls from tasks that prefer
/// that loop never leave its thread, others hop there and back once.
///
/// Calls can be made before ``connect()``, and wait for it.
public final class HTTP2ClientTransport: ClientTransport, Sendable {
  /// Messages as bytes.
  public typealias Bytes = [UInt8]

  let channel: Channel
  let targetName: String
  private let makeResolver: @Sendable () -> NameResolver?

  /// Makes a channel.
  ///
  /// - Parameters:
  ///   - target: What to connect to.
  ///   - transportSecurity: How connections are protected.
  ///   - configuration: How to connect, and what to allow.
  ///   - eventLoops: One of these loops carries the channel, if it has no pool of connections.
  /// - Throws: `RuntimeError` with code `invalidArgument` if the configuration's registry has no resolver for the
  ///   target, or a certificate or key is of no use.
  public init(
    target: any ResolvableTarget, transportSecurity: TransportSecurity = .plaintext,
    configuration: Configuration = .defaults, eventLoops: EventLoopGroup = .shared
  ) throws(RuntimeError) {
    let loop = configuration.connectionPool?.eventLoop ?? eventLoops.next()
    let registry =
      configuration.resolverRegistry
      ?? .defaults(eventLoop: loop, usesDNSServiceConfig: configuration.usesDNSServiceConfig)
    guard registry.containsFactory(for: target) else {
      throw RuntimeError(
        code: .invalidArgument, message: "No resolver is registered for targets as \(target).")
    }
    if let config = configuration.serviceConfig, !config.loadBalancingConfig.isEmpty {
      _ = try configuration.loadBalancingPolicies.policy(for: config.loadBalancingConfig)
    }
    channel = Channel(
      configuration: configuration, security: try ClientSecurity(transportSecurity), on: loop)
    targetName = "\(target)"
    makeResolver = { registry.makeResolver(for: target) }
  }

  /// Makes a channel.
  ///
  /// - Parameters:
  ///   - target: What to connect to, in one of the forms of ``TargetName``.
  ///   - transportSecurity: How connections are protected.
  ///   - configuration: How to connect, and what to allow.
  ///   - eventLoops: One of these loops carries the channel.
  /// - Throws: `RuntimeError` with code `invalidArgument` if the text is not a target, or a certificate or key is of
  ///   no use.
  public convenience init(
    target: String, transportSecurity: TransportSecurity = .plaintext,
    configuration: Configuration = .defaults, eventLoops: EventLoopGroup = .shared
  ) throws(RuntimeError) {
    try self.init(
      target: TargetName(target).target, transportSecurity: transportSecurity,
      configuration: configuration, eventLoops: eventLoops)
  }

  /// The event loop that carries the channel.
  public var eventLoop: EventLoop { channel.loop }

  /// What keeps failed calls from being made again, if the service's configuration has such a rule.
  public var retryThrottle: RetryThrottle? { channel.published.withLock(\.throttle) }

  /// What the service's configuration says of calls of a method.
  ///
  /// - Parameter descriptor: The method.
  /// - Returns: The configuration, if there is one.
  public func config(forMethod descriptor: MethodDescriptor) -> MethodConfig? {
    channel.published.withLock(\.config)?.methodConfig(for: descriptor)
  }

  /// The channel's state, now and whenever it changes.
  public var connectivityStates: ConnectivityStates {
    ConnectivityStates(publisher: channel.connectivity)
  }

  /// Resolves and connects until the channel is shut down.
  ///
  /// The channel outlives every failure: it goes on trying to connect, and once idle, as it is for want of calls (see
  /// ``Configuration/idleTimeout``), connects at the next call. Cancelling the task closes it at once, and its calls fail.
  ///
  /// - Throws: `RuntimeError` if the channel runs already, or has been shut down.
  public func connect() async throws {
    try await channel.run()
    await withTaskCancellationHandler {
      await withTaskGroup(of: Void.self) { group in
        group.addTask(executorPreference: channel.loop) { await self.resolve() }
        await channel.stopped()
        group.cancelAll()
      }
    } onCancel: {
      channel.loop.execute { [channel] in channel.stop() }
    }
  }

  /// Takes no more calls; ``connect()`` returns when those that are in progress have ended.
  public func beginGracefulShutdown() {
    channel.loop.execute { [channel] in channel.shutDown() }
  }

  /// Tries again at once whatever has failed, to resolve or to connect, and is waited with; and forgets the failures, so
  /// that the next waits are short again.
  ///
  /// For who knows that something has changed, as that the machine is on a network again. Connections that the
  /// load-balancing policy does not want are not made for it, and a channel that is idle stays so. Those of a
  /// ``ConnectionPool`` are tried again for all its channels. See gRPC's "Connection Backoff Protocol".
  public func resetBackoff() {
    channel.tell { $0.resetBackoff() }
  }

  private func resolve() async {
    await Resolution(channel: channel, clock: ContinuousClock(), makeResolver: makeResolver).run()
  }
}
