import Synchronization

extension ServerContext {
  /// Tells a handler that its call is cancelled, and lets it cancel the call itself.
  ///
  /// A transport cancels the handle when the client resets the stream, the connection is lost, or the
  /// deadline passes.
  public struct RPCCancellationHandle: Sendable {
    private let state: Cancellation

    /// Creates a handle for a call.
    ///
    /// - Parameter onCancel: Called once when the call is cancelled, from wherever that happens. A
    ///   transport ends the call here.
    public init(onCancel: (@Sendable () -> Void)? = nil) {
      state = Cancellation(onCancel: onCancel)
    }

    init(_ state: Cancellation) { self.state = state }

    /// Whether the call is cancelled.
    public var isCancelled: Bool { state.isCancelled.load(ordering: .acquiring) }

    /// Returns when the call is cancelled.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before the call is.
    public var cancelled: Void {
      get async throws {
        let (stream, continuation) = AsyncStream<Never>.makeStream()
        let key = state.add { continuation.finish() }
        defer { key.map(state.remove) }
        for await _ in stream {}
        guard isCancelled else { throw CancellationError() }
      }
    }

    /// Cancels the call.
    public func cancel() { state.cancel() }

    func add(_ observer: @escaping @Sendable () -> Void) -> Int? { state.add(observer) }

    func remove(_ key: Int) { state.remove(key) }
  }
}

/// What all copies of a handle share.
class Cancellation: @unchecked Sendable {
  // `@unchecked` holds because the state is atomic or behind the mutex, and a subclass adds none.
  private struct Observers {
    var isCancelled = false
    var nextKey = 0
    var observers: [Int: @Sendable () -> Void] = [:]
  }

  final let isCancelled = Atomic(false)
  private final let onCancel: (@Sendable () -> Void)?
  private final let observers = Mutex(Observers())

  init(onCancel: (@Sendable () -> Void)?) { self.onCancel = onCancel }

  /// Adds an observer, or calls it at once where the call is cancelled already.
  final func add(_ observer: @escaping @Sendable () -> Void) -> Int? {
    let key: Int? = observers.withLock { state in
      guard !state.isCancelled else { return nil }
      state.nextKey += 1
      state.observers[state.nextKey] = observer
      return state.nextKey
    }
    if key == nil { observer() }
    return key
  }

  final func remove(_ key: Int) {
    observers.withLock { _ = $0.observers.removeValue(forKey: key) }
  }

  final func cancel() {
    let waiting: [Int: @Sendable () -> Void]? = observers.withLock { state in
      guard !state.isCancelled else { return nil }
      state.isCancelled = true
      isCancelled.store(true, ordering: .releasing)
      defer { state.observers = [:] }
      return state.observers
    }
    guard let waiting else { return }
    onCancel?()
    for (_, observer) in waiting.sorted(by: { $0.key < $1.key }) { observer() }
  }
}

/// Runs an operation, and a closure as soon as the call that is being handled is cancelled.
///
/// - Parameters:
///   - operation: What to run.
///   - handler: Called at most once, from wherever the call is cancelled; at once where it is
///     cancelled already. Never called outside a handler.
/// - Returns: What the operation returns.
/// - Throws: What the operation throws.
public func withRPCCancellationHandler<Result, Failure: Error>(
  operation: () async throws(Failure) -> Result,
  onCancelRPC handler: @escaping @Sendable () -> Void
) async throws(Failure) -> Result {
  guard let handle = ServerContext.current?.cancellation else { return try await operation() }
  let key = handle.add(handler)
  defer { key.map(handle.remove) }
  return try await operation()
}
