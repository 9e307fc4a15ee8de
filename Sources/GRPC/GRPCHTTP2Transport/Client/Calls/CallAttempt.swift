import GRPCCore

/// One time that a call is sent to a server.
public struct CallAttempt: Sendable {
  /// The method that is called.
  public let method: MethodDescriptor
  /// How many attempts of the call its retry or hedging policy has made before, as the server is told in
  /// `grpc-previous-rpc-attempts`. One that is sent again because no server has acted on it does not count.
  public let previousAttempts: Int
  /// The address of the server, such as `unix:/run/kart/schedule.sock`.
  public let remotePeer: String
  /// When the call has to be over; nil if it may take as long as it likes.
  public let deadline: ContinuousClock.Instant?
}

/// Sees each attempt of a channel's calls.
///
/// A `ClientInterceptor` sees a call once, however often it is sent; this sees every retry, every hedge, and what is
/// sent again because no server has acted on it. See ``HTTP2ClientTransport/Configuration/attemptInterceptors``.
///
/// It is called on the channel's event loop, which carries other calls meanwhile: it must not block.
public protocol CallAttemptInterceptor: Sendable {
  /// An attempt is about to be sent.
  ///
  /// - Parameters:
  ///   - attempt: The attempt.
  ///   - metadata: The request's metadata; what is changed here counts for this attempt alone.
  func attemptWillStart(_ attempt: CallAttempt, metadata: inout Metadata)

  /// An attempt has ended, whether the call has or not.
  ///
  /// - Parameters:
  ///   - attempt: The attempt.
  ///   - status: How it ended: as the server said, or as was found on this side.
  ///   - trailingMetadata: What the server sent with the status.
  func attemptDidEnd(_ attempt: CallAttempt, status: Status, trailingMetadata: Metadata)
}

extension CallAttemptInterceptor {
  /// Changes nothing.
  public func attemptWillStart(_ attempt: CallAttempt, metadata: inout Metadata) {}

  /// Does nothing.
  public func attemptDidEnd(_ attempt: CallAttempt, status: Status, trailingMetadata: Metadata) {}
}
