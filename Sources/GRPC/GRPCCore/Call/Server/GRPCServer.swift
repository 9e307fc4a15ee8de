import Synchronization

/// Serves services over a transport.
///
/// ```swift
/// let server = GRPCServer(transport: transport, services: [Greeter()])
/// try await server.serve()
/// ```
public final class GRPCServer<Transport: ServerTransport>: Sendable {
  /// notStarted → running → stopping → stopped; a shutdown before the start goes to stopped at once.
  private enum State {
    case notStarted
    case running
    case stopping
    case stopped
  }

  /// The transport.
  public let transport: Transport
  private let router: RPCRouter<Transport>
  private let state = Mutex(State.notStarted)
  private let isShutDown = Atomic(false)

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - transport: Accepts the calls.
  ///   - services: What to serve.
  ///   - interceptors: See every call, the outermost first.
  public convenience init(
    transport: Transport, services: [any RegistrableRPCService],
    interceptors: [any ServerInterceptor] = []
  ) {
    self.init(
      transport: transport, services: services,
      interceptorPipeline: interceptors.map { .apply($0, to: .all) })
  }

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - transport: Accepts the calls.
  ///   - services: What to serve.
  ///   - interceptorPipeline: The interceptors, the outermost first, each with the calls it sees.
  public convenience init(
    transport: Transport, services: [any RegistrableRPCService],
    interceptorPipeline: [ConditionalInterceptor<any ServerInterceptor>]
  ) {
    var router = RPCRouter<Transport>()
    for service in services { service.registerMethods(with: &router) }
    router.registerInterceptors(pipeline: interceptorPipeline)
    self.init(transport: transport, router: router)
  }

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - transport: Accepts the calls.
  ///   - router: The methods to serve.
  public init(transport: Transport, router: RPCRouter<Transport>) {
    self.transport = transport
    self.router = router
  }

  /// Serves until a shutdown has drained the calls under way, or until the task is cancelled, which
  /// cancels them.
  ///
  /// - Throws: ``RuntimeError`` where the server serves or has served already, and what keeps the
  ///   transport from listening.
  public func serve() async throws {
    try state.withLock { state throws(RuntimeError) in
      switch state {
      case .notStarted: state = .running
      case .running, .stopping:
        throw RuntimeError(
          code: .serverIsAlreadyRunning, message: "The server serves already; serve() once.")
      case .stopped:
        throw RuntimeError(
          code: .serverIsStopped, message: "The server has stopped; create another to serve again.")
      }
    }
    defer { state.withLock { $0 = .stopped } }
    try await transport.listen(router: router)
  }

  /// Takes no new calls, and lets ``serve()`` return when those under way have ended.
  public func beginGracefulShutdown() {
    isShutDown.store(true, ordering: .releasing)
    let isFirst = state.withLock { state in
      switch state {
      case .notStarted: state = .stopped
      case .running: state = .stopping
      case .stopping, .stopped: return false
      }
      return true
    }
    // Also where the transport never ran: something may wait for it.
    if isFirst { transport.beginGracefulShutdown() }
  }

  /// As ``serve()``, but it is no error when the shutdown came before the start.
  fileprivate func serveBeforeShutdown() async throws {
    do {
      try await serve()
    } catch let error as RuntimeError where error.code == .serverIsStopped {
      guard isShutDown.load(ordering: .acquiring) else { throw error }
    }
  }
}

/// Serves services for as long as a closure runs, and then drains.
///
/// - Parameters:
///   - transport: Accepts the calls.
///   - services: What to serve.
///   - interceptors: See every call, the outermost first.
///   - isolation: Where the closure runs.
///   - handleServer: Runs beside the server.
/// - Returns: What the closure returns.
/// - Throws: What the closure throws, or what keeps the transport from listening.
public func withGRPCServer<Transport: ServerTransport, Result: Sendable>(
  transport: Transport, services: [any RegistrableRPCService],
  interceptors: [any ServerInterceptor] = [], isolation: isolated (any Actor)? = #isolation,
  handleServer: (GRPCServer<Transport>) async throws -> Result
) async throws -> Result {
  try await withGRPCServer(
    transport: transport, services: services,
    interceptorPipeline: interceptors.map { .apply($0, to: .all) }, isolation: isolation,
    handleServer: handleServer)
}

/// Serves services for as long as a closure runs, and then drains.
///
/// - Parameters:
///   - transport: Accepts the calls.
///   - services: What to serve.
///   - interceptorPipeline: The interceptors, the outermost first, each with the calls it sees.
///   - isolation: Where the closure runs.
///   - handleServer: Runs beside the server.
/// - Returns: What the closure returns.
/// - Throws: What the closure throws, or what keeps the transport from listening.
public func withGRPCServer<Transport: ServerTransport, Result: Sendable>(
  transport: Transport, services: [any RegistrableRPCService],
  interceptorPipeline: [ConditionalInterceptor<any ServerInterceptor>],
  isolation: isolated (any Actor)? = #isolation,
  handleServer: (GRPCServer<Transport>) async throws -> Result
) async throws -> Result {
  let server = GRPCServer(
    transport: transport, services: services, interceptorPipeline: interceptorPipeline)
  return try await withThrowingDiscardingTaskGroup { group in
    group.addTask { try await server.serveBeforeShutdown() }
    do {
      let result = try await handleServer(server)
      server.beginGracefulShutdown()
      return result
    } catch {
      server.beginGracefulShutdown()
      throw error
    }
  }
}
