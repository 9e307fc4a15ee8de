/// What a caller wants of a call.
public struct CallOptions: Sendable {
  /// How long the call may take in all; `nil` sets no limit of its own.
  public var timeout: Duration?
  /// Whether the call waits for a connection instead of failing where none can be had; `nil` leaves
  /// it to the transport, which by default does not wait.
  public var waitForReady: Bool?
  /// How large a request message may be, in bytes; `nil` leaves it to the transport.
  public var maxRequestMessageBytes: Int?
  /// How large a response message may be, in bytes; `nil` leaves it to the transport.
  public var maxResponseMessageBytes: Int?
  /// How to compress the request's messages; `nil` leaves it to the transport, which by default
  /// does not. A server that does not know the algorithm fails the call with UNIMPLEMENTED.
  public var compression: CompressionAlgorithm?

  /// How the call is made more than once, if it is; `nil` leaves it to the service's configuration.
  public var executionPolicy: RPCExecutionPolicy?

  /// What calls with the same value have in common, so that load balancing by `ring_hash` sends them to the same
  /// server; `nil` leaves it to the policy's header.
  public var requestHashKey: String?

  /// Tells, when the call's task is cancelled, whether the server is at fault; `nil` if it never is.
  public var cancellationCause: CancellationCause?

  /// Options that leave everything to the transport.
  public static let defaults = CallOptions()

  private init() {}
}

extension CallOptions {
  /// Fills in what a service's configuration says of the method.
  ///
  /// Of timeouts and limits the lower one counts; everything else is the caller's to override.
  package mutating func merge(_ config: MethodConfig) {
    func lower<Value: Comparable>(_ a: Value?, _ b: Value?) -> Value? {
      a.map { a in b.map { min(a, $0) } ?? a } ?? b
    }
    timeout = lower(timeout, config.timeout)
    waitForReady = waitForReady ?? config.waitForReady
    maxRequestMessageBytes = lower(maxRequestMessageBytes, config.maxRequestMessageBytes)
    maxResponseMessageBytes = lower(maxResponseMessageBytes, config.maxResponseMessageBytes)
    executionPolicy = executionPolicy ?? config.executionPolicy
  }

  /// When a call with these options must have ended: the sooner of its own timeout and the deadline
  /// of the call whose handler makes it.
  ///
  /// - Parameter now: The time that the timeout counts from.
  /// - Returns: The deadline, or `nil` where nothing sets one.
  public func deadline(from now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    let own = timeout.map { now.advanced(by: $0) }
    guard let inherited = ServerContext.current?.deadline else { return own }
    return own.map { min($0, inherited) } ?? inherited
  }
}
