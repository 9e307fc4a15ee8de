import Synchronization

/// Why a call is cancelled, where that is the server's fault.
///
/// A cancelled task does not say why. A call cancelled without a cause fails with CANCELLED, and says nothing of the
/// server; with one it fails with that, and load balancing counts it as the server's failure.
///
/// ```swift
/// var options = CallOptions.defaults
/// let cause = CancellationCause()
/// options.cancellationCause = cause
/// let call = Task { try await service.subscribe(request, options: options) { … } }
/// // Once nothing has come for too long:
/// cause.error = RPCError(code: .unavailable, message: "The server has been silent for 2 seconds.")
/// call.cancel()
/// ```
public final class CancellationCause: Sendable {
  private let state = Mutex<RPCError?>(nil)

  /// Makes one for a call, without a cause yet.
  public init() {}

  /// How the call fails that is cancelled from now on; nil for CANCELLED.
  public var error: RPCError? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
