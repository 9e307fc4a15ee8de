import GRPCCore

/// A call that no server has acted on is sent again unseen.
///
/// See gRPC's proposal A6, "Transparent Retries".
extension ClientCall {
  /// The connection was lost before the server can have begun with the call, which is to go over another one.
  ///
  /// - Returns: Whether it does.
  final func resend() -> Bool {
    guard hasSentNothing, !isSentAgain, rewind() else { return false }
    didRetryTransparently()
    beginAgain()
    isSentAgain = true
    channel.pick(for: self)
    return true
  }

  /// The server has reset the call's stream unseen, or has sent a GOAWAY whose last stream is before it.
  ///
  /// Once the call may be sent again, and as often as it was refused because the server had too many others.
  final func didRefuse(on connection: ClientConnection) {
    let wasSentAgain = isSentAgain
    guard !isInBody, !wasSentAgain || connection.isCrowded, rewind() else {
      return attemptDidEnd(.failure(refusal(on: connection)))
    }
    didRetryTransparently()
    beginAgain()
    isSentAgain = wasSentAgain || !connection.isCrowded
    connection.sendAgain(self)
  }

  private final func refusal(on connection: ClientConnection) -> RPCError {
    var error = RPCError(streamError: .refusedStream)
    guard !isInBody else { return error }
    if connection.hasReceivedGoAway {
      error.message = "The server sent GOAWAY and has not acted on the call."
    }
    if !keepsRequest {
      error.message +=
        " It is not sent again: of its request more was written than the "
        + "\(channel.configuration.retryBufferBytes) bytes kept."
    }
    return error
  }
}
