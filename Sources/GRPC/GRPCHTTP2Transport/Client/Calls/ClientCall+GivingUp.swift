import GRPCCore

/// How a call is ended from this side.
extension ClientCall {
  /// Gives up the call because its task was cancelled. From any thread.
  final func cancel() {
    channel.tell { [self] _ in
      if let cause = options.cancellationCause?.error { return fail(cause) }
      // A handler is cancelled at its deadline, which is that of the calls it makes.
      if let deadline, deadline <= .now { return exceedDeadline() }
      isGivenUp = true
      fail(.cancelled("The call was cancelled."))
    }
  }

  /// Gives up the call, if it is not over, because its user has no more use for it. From any thread.
  final func leave(because error: (any Error)? = nil) {
    channel.tell { [self] _ in
      if case .ended = phase { return }
      isGivenUp = true
      fail(RPCError(code: .cancelled, message: "The call was left before its end.", cause: error))
    }
  }

  /// Ends the call from this side, and resets its stream. Only on the loop.
  final func fail(_ error: RPCError, resetting code: HTTP2ErrorCode = .cancel) {
    if case .open = phase { connection?.reset(self, code) }
    end(.failure(error))
  }

  /// Gives up the call because its time is over. Only on the loop.
  final func exceedDeadline() {
    let cause = isWaiting ? channel.whyNot(self) : nil
    let detail = cause.map { " while it waited for a connection: \($0.message)" } ?? "."
    fail(RPCError(code: .deadlineExceeded, message: "The call's deadline was exceeded\(detail)"))
  }
}
