import GRPCCore

/// What is told to those who look at every attempt, if anybody does.
extension ClientCall {
  private var attemptInterceptors: [any CallAttemptInterceptor] {
    kind == .channel ? [] : channel.configuration.attemptInterceptors
  }

  /// An attempt is about to be sent to a server.
  ///
  /// - Returns: The metadata to send.
  final func beginAttempt(at address: SocketAddress) -> Metadata {
    let interceptors = attemptInterceptors
    guard !interceptors.isEmpty else { return metadata }
    let attempt = CallAttempt(
      method: method, previousAttempts: previousAttempts, remotePeer: "\(address)",
      deadline: deadline)
    var metadata = metadata
    for interceptor in interceptors {
      interceptor.attemptWillStart(attempt, metadata: &metadata)
    }
    self.attempt = attempt
    return metadata
  }

  /// The attempt is over that was sent last, if it was not before.
  final func endAttempt(_ end: @autoclosure () -> End) {
    guard let attempt else { return }
    self.attempt = nil
    let (status, trailers) =
      switch end() {
      case .status(let status, let trailers): (status, trailers)
      case .failure(let error): (Status(error), error.metadata)
      }
    // The outermost sees the end last.
    for interceptor in attemptInterceptors.reversed() {
      interceptor.attemptDidEnd(attempt, status: status, trailingMetadata: trailers)
    }
  }
}
