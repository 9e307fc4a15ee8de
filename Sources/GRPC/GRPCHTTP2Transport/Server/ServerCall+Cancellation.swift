import EventLoop
import GRPCCore

/// How a call ends that its handler has not finished: by its deadline, by the client, by the
/// server, or by the handler itself.
extension ServerCall {
  func setDeadline(_ deadline: ContinuousClock.Instant) {
    deadlineTimer = loop.schedule(at: deadline) { self.deadlineDidPass() }
  }

  /// Ends the call, be it that its handler is not done or that its client has not taken the response.
  private func deadlineDidPass() {
    let status = Status(code: .deadlineExceeded, message: "The call's deadline was exceeded.")
    guard !outbound.isEmpty else {
      if phase != .answered, phase != .closed { abandon(status) }
      return
    }
    // The client has not taken what is queued already, and would not see the status behind it.
    reset(.deadlineExceeded)
    if let error = RPCError(status: status) { cancelHandler(error) }
  }

  func dropDeadline() {
    guard let deadlineTimer else { return }
    deadlineTimer.cancel()
    self.deadlineTimer = nil
  }

  /// Ends the call over the handler's head.
  ///
  /// If the client has yet to take a part of the response, the status waits behind that: a reset
  /// would take both from the client. It waits no longer than until the call's deadline.
  func abandon(_ status: Status) {
    finish(status)
    if let error = RPCError(status: status) { cancelHandler(error) }
  }

  /// The handler, or whoever it gave its handle to, has cancelled the call.
  func cancelByHandler() {
    onLoop {
      guard self.phase == .running else { return }
      self.reset(.cancelled)
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

  private func reset(_ code: Status.Code) {
    phase = .answered
    measure?.code = code
    dropDeadline()
    connection.session.reset(self, .cancel)
    connection.setNeedsFlush()
  }
}
