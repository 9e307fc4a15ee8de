import Synchronization

/// Makes calls over a transport.
///
/// A client is usable before ``runConnections()`` is called: calls wait for it.
public final class GRPCClient<Transport: ClientTransport>: Sendable {
  /// notStarted → running → stopping → stopped; a shutdown before the start goes to stopped at once.
  private enum State {
    case notStarted
    case running
    case stopping
    case stopped
  }

  @usableFromInline
  let transport: Transport
  private let pipeline: [ConditionalInterceptor<any ClientInterceptor>]
  private let state = Mutex(State.notStarted)
  private let isShutDown = Atomic(false)
  private let isStopped = Atomic(false)
  /// Whether the next call makes the client run.
  private let startsItself: Atomic<Bool>
  private let isManaged: Bool

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - transport: Carries the calls.
  ///   - interceptors: See every call, the outermost first.
  public convenience init(transport: Transport, interceptors: [any ClientInterceptor] = []) {
    self.init(
      transport: transport, interceptorPipeline: interceptors.map { .apply($0, to: .all) })
  }

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - transport: Carries the calls.
  ///   - interceptorPipeline: The interceptors, the outermost first, each with the calls it sees.
  public convenience init(
    transport: Transport, interceptorPipeline: [ConditionalInterceptor<any ClientInterceptor>]
  ) {
    self.init(transport, interceptorPipeline, isManaged: false)
  }

  private init(
    _ transport: Transport, _ pipeline: [ConditionalInterceptor<any ClientInterceptor>],
    isManaged: Bool
  ) {
    self.transport = transport
    self.pipeline = pipeline
    self.isManaged = isManaged
    startsItself = Atomic(isManaged)
  }

  /// Creates a client that runs itself: from its first call on, until the last reference to it is gone or it is
  /// shut down. No task has to be parked in ``runConnections()``.
  ///
  /// - Parameters:
  ///   - transport: Carries the calls.
  ///   - interceptors: See every call, the outermost first.
  /// - Returns: The client.
  public static func managed(
    transport: Transport, interceptors: [any ClientInterceptor] = []
  ) -> GRPCClient {
    GRPCClient(transport, interceptors.map { .apply($0, to: .all) }, isManaged: true)
  }

  deinit {
    // Nobody can make calls any more, and those under way hold the client.
    if isManaged { transport.beginGracefulShutdown() }
  }

  /// Makes a managed client run. The task holds the transport alone, so that the client's end is its owner's.
  private func startIfManaged() {
    guard startsItself.exchange(false, ordering: .acquiringAndReleasing) else { return }
    let mayStart = state.withLock { state in
      guard case .notStarted = state else { return false }
      state = .running
      return true
    }
    guard mayStart else { return }
    Task.detached { [transport] in try await transport.connect() }
  }

  /// Keeps the connections until a shutdown has drained the calls under way, or until the task is
  /// cancelled, which cancels them.
  ///
  /// - Throws: ``RuntimeError`` where the client runs or has run already, and what keeps the
  ///   transport from running.
  public func runConnections() async throws {
    try state.withLock { state throws(RuntimeError) in
      switch state {
      case .notStarted: state = .running
      case .running, .stopping:
        throw RuntimeError(
          code: .clientIsAlreadyRunning,
          message: "The client runs already; call runConnections() once.")
      case .stopped: throw .clientIsStopped
      }
    }
    defer {
      state.withLock { $0 = .stopped }
      isStopped.store(true, ordering: .releasing)
    }
    try await transport.connect()
  }

  /// Takes no new calls, and lets ``runConnections()`` return when those under way have ended.
  public func beginGracefulShutdown() {
    isStopped.store(true, ordering: .releasing)
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

  /// As ``runConnections()``, but it is no error when the shutdown came before the start.
  fileprivate func runConnectionsBeforeShutdown() async throws {
    do {
      try await runConnections()
    } catch let error as RuntimeError where error.code == .clientIsStopped {
      guard isShutDown.load(ordering: .acquiring) else { throw error }
    }
  }

  /// Makes a call with one message each way.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - descriptor: The method.
  ///   - serializer: Writes the request.
  ///   - deserializer: Reads the response.
  ///   - options: What the caller wants of the call.
  ///   - onResponse: Takes the response.
  /// - Returns: What `onResponse` returns.
  /// - Throws: What `onResponse` throws, or ``RuntimeError`` after a shutdown.
  @inlinable
  nonisolated(nonsending) public func unary<
    Request: Sendable, Response: Sendable, ReturnValue: Sendable
  >(
    request: ClientRequest<Request>, descriptor: MethodDescriptor,
    serializer: some MessageSerializer<Request>, deserializer: some MessageDeserializer<Response>,
    options: CallOptions,
    onResponse:
      @Sendable @escaping (
        _ response: ClientResponse<Response>
      ) async throws -> ReturnValue
  ) async throws -> ReturnValue {
    try checkIsUsable()
    let interceptors = interceptors(for: descriptor)
    guard interceptors.isEmpty else {
      return try await ClientCallExecutor.execute(
        request: StreamingClientRequest(single: request), descriptor: descriptor,
        transport: transport, serializer: serializer, deserializer: deserializer, options: options,
        interceptors: interceptors
      ) { try await onResponse(await ClientResponse(stream: $0)) }
    }
    return try await onResponse(
      await ClientCallExecutor.executeUnary(
        request: request, descriptor: descriptor, transport: transport, serializer: serializer,
        deserializer: deserializer, options: options))
  }

  /// Makes a call with any number of requests and one response.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - descriptor: The method.
  ///   - serializer: Writes the requests.
  ///   - deserializer: Reads the response.
  ///   - options: What the caller wants of the call.
  ///   - onResponse: Takes the response.
  /// - Returns: What `onResponse` returns.
  /// - Throws: What `onResponse` throws, or ``RuntimeError`` after a shutdown.
  public func clientStreaming<Request: Sendable, Response: Sendable, ReturnValue: Sendable>(
    request: StreamingClientRequest<Request>, descriptor: MethodDescriptor,
    serializer: some MessageSerializer<Request>, deserializer: some MessageDeserializer<Response>,
    options: CallOptions,
    onResponse:
      @Sendable @escaping (
        _ response: ClientResponse<Response>
      ) async throws -> ReturnValue
  ) async throws -> ReturnValue {
    try await bidirectionalStreaming(
      request: request, descriptor: descriptor, serializer: serializer, deserializer: deserializer,
      options: options
    ) { try await onResponse(await ClientResponse(stream: $0)) }
  }

  /// Makes a call with one request and any number of responses.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - descriptor: The method.
  ///   - serializer: Writes the request.
  ///   - deserializer: Reads the responses.
  ///   - options: What the caller wants of the call.
  ///   - onResponse: Takes the response; the call ends when it returns.
  /// - Returns: What `onResponse` returns.
  /// - Throws: What `onResponse` throws, or ``RuntimeError`` after a shutdown.
  @inlinable
  public func serverStreaming<Request: Sendable, Response: Sendable, ReturnValue: Sendable>(
    request: ClientRequest<Request>, descriptor: MethodDescriptor,
    serializer: some MessageSerializer<Request>, deserializer: some MessageDeserializer<Response>,
    options: CallOptions,
    onResponse:
      @Sendable @escaping (
        _ response: StreamingClientResponse<Response>
      ) async throws -> ReturnValue
  ) async throws -> ReturnValue {
    try checkIsUsable()
    let interceptors = interceptors(for: descriptor)
    guard interceptors.isEmpty else {
      return try await ClientCallExecutor.execute(
        request: StreamingClientRequest(single: request), descriptor: descriptor,
        transport: transport, serializer: serializer, deserializer: deserializer, options: options,
        interceptors: interceptors, onResponse: onResponse)
    }
    return try await ClientCallExecutor.executeServerStreaming(
      request: request, descriptor: descriptor, transport: transport, serializer: serializer,
      deserializer: deserializer, options: options, onResponse: onResponse)
  }

  /// Makes a call with any number of messages both ways.
  ///
  /// - Parameters:
  ///   - request: The request, whose producer runs while the response is taken.
  ///   - descriptor: The method.
  ///   - serializer: Writes the requests.
  ///   - deserializer: Reads the responses.
  ///   - options: What the caller wants of the call.
  ///   - onResponse: Takes the response; the call ends when it returns.
  /// - Returns: What `onResponse` returns.
  /// - Throws: What `onResponse` throws, or ``RuntimeError`` after a shutdown.
  public func bidirectionalStreaming<Request: Sendable, Response: Sendable, ReturnValue: Sendable>(
    request: StreamingClientRequest<Request>, descriptor: MethodDescriptor,
    serializer: some MessageSerializer<Request>, deserializer: some MessageDeserializer<Response>,
    options: CallOptions,
    onResponse:
      @Sendable @escaping (
        _ response: StreamingClientResponse<Response>
      ) async throws -> ReturnValue
  ) async throws -> ReturnValue {
    try checkIsUsable()
    return try await ClientCallExecutor.execute(
      request: request, descriptor: descriptor, transport: transport, serializer: serializer,
      deserializer: deserializer, options: options, interceptors: interceptors(for: descriptor),
      onResponse: onResponse)
  }

  @usableFromInline
  func checkIsUsable() throws(RuntimeError) {
    if isStopped.load(ordering: .acquiring) { throw .clientIsStopped }
    if startsItself.load(ordering: .relaxed) { startIfManaged() }
  }

  @usableFromInline
  func interceptors(for descriptor: MethodDescriptor) -> [any ClientInterceptor] {
    pipeline.isEmpty ? [] : pipeline.filter { $0.applies(to: descriptor) }.map(\.interceptor)
  }
}

extension RuntimeError {
  fileprivate static var clientIsStopped: RuntimeError {
    RuntimeError(
      code: .clientIsStopped, message: "The client is shut down; create another to make calls.")
  }
}

/// Runs a client for as long as a closure runs, and then drains.
///
/// - Parameters:
///   - transport: Carries the calls.
///   - interceptors: See every call, the outermost first.
///   - isolation: Where the closure runs.
///   - handleClient: Uses the client.
/// - Returns: What the closure returns.
/// - Throws: What the closure throws, or what keeps the transport from running.
public func withGRPCClient<Transport: ClientTransport, Result: Sendable>(
  transport: Transport, interceptors: [any ClientInterceptor] = [],
  isolation: isolated (any Actor)? = #isolation,
  handleClient: (GRPCClient<Transport>) async throws -> Result
) async throws -> Result {
  try await withGRPCClient(
    transport: transport, interceptorPipeline: interceptors.map { .apply($0, to: .all) },
    isolation: isolation, handleClient: handleClient)
}

/// Runs a client for as long as a closure runs, and then drains.
///
/// - Parameters:
///   - transport: Carries the calls.
///   - interceptorPipeline: The interceptors, the outermost first, each with the calls it sees.
///   - isolation: Where the closure runs.
///   - handleClient: Uses the client.
/// - Returns: What the closure returns.
/// - Throws: What the closure throws, or what keeps the transport from running.
public func withGRPCClient<Transport: ClientTransport, Result: Sendable>(
  transport: Transport, interceptorPipeline: [ConditionalInterceptor<any ClientInterceptor>],
  isolation: isolated (any Actor)? = #isolation,
  handleClient: (GRPCClient<Transport>) async throws -> Result
) async throws -> Result {
  let client = GRPCClient(transport: transport, interceptorPipeline: interceptorPipeline)
  return try await withThrowingDiscardingTaskGroup { group in
    group.addTask { try await client.runConnectionsBeforeShutdown() }
    do {
      let result = try await handleClient(client)
      client.beginGracefulShutdown()
      return result
    } catch {
      client.beginGracefulShutdown()
      throw error
    }
  }
}
