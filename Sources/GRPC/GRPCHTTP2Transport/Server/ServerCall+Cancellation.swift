import EventLoop
import GRPCCore

/// How a call ends that its handler has not finished: by its deadline, by the client, by the
/// server, or by the handler itself.
extension ServerCall {
  func setDeadline(_ deadline: ContinuousClock.Instant) {
    deadlineTimer = loop.schedule(at: deadline) {
      self.finishAndCancel(
        Status(code: .deadlineExceeded, message: "The call's deadline was exceeded."))
    }
  }

  func dropDeadline() {
    guard let deadlineTimer else { return }
    deadlineTimer.cancel()
    self.deadlineTimer = nil
  }

  /// Ends the call over the handler's head.
  func finishAndCancel(_ status: Status) {
    guard phase != .closed else { return }
    if outbound.isEmpty {
      finish(status)
    } else {
      // The client has not taken what is queued already, and would not see the status behind it.
      reset()
    }
    if let error = RPCError(status: status) { cancelHandler(error) }
  }

  /// Ends the call because the server does.
  ///
  /// If the client has yet to take a part of the response, the status waits behind that: a reset
  /// would say that it was this call that went wrong.
  func abandon(_ status: Status) {
    finish(status)
    if let error = RPCError(status: status) { cancelHandler(error) }
  }

  /// The handler, or whoever it gave its handle to, has cancelled the call.
  func cancelByHandler() {
    onLoop {
      guard self.phase == .running else { return }
      self.reset()
      self.cancelHandler(
        RPCError(code: .cancelled, message: "The handler has cancelled the call."))
    }
  }

  /// Has the handler know that nobody waits for it any more.
  func cancelHandler(_ error: RPCError) {
    if failure == nil { failure = error }
    inbound?.fail(error)
    writersWaiting.failAll(error)
    context?.cancellation.cancel()
    worker?.cancel()
  }

  private func reset() {
    phase = .answered
    dropDeadline()
    connection.session.reset(self, .cancel)
    connection.setNeedsFlush()
  }
}
