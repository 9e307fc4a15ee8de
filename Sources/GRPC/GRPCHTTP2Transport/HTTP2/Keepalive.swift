/// When one end of a connection asks the other, which is silent, whether it is still there.
///
/// A PING is sent once nothing has come from the peer for ``time``; if ``timeout`` goes by without a byte, the
/// connection is closed and its calls fail with `unavailable`.
///
/// See gRPC's "Keepalive".
public struct Keepalive: Sendable, Hashable {
  /// How long the peer may be silent before it is asked.
  public var time: Duration

  /// How long it then has to answer.
  public var timeout: Duration

  /// Whether to ask even while there are no calls.
  public var permitWithoutCalls: Bool

  /// Makes a keepalive.
  ///
  /// - Parameters:
  ///   - time: How long the peer may be silent before it is asked.
  ///   - timeout: How long it then has to answer.
  ///   - permitWithoutCalls: Whether to ask even while there are no calls.
  public init(time: Duration, timeout: Duration = .seconds(20), permitWithoutCalls: Bool = false) {
    self.time = time
    self.timeout = timeout
    self.permitWithoutCalls = permitWithoutCalls
  }
}
