import GRPCCore

/// A call is made again on the same object, once its former stream is closed.
extension ClientCall {
  /// Takes what the service's configuration says. Only on the loop.
  final func configure(_ config: MethodConfig?) {
    isConfigured = true
    if let config {
      options.merge(config)
      if config.maxResponseMessageBytes != nil { expectResponse() }
      if let timeout = config.timeout { moveDeadline(to: .now + timeout) }
      guard isWaiting else { return }
    }
    if options.executionPolicy != nil, let policy = options.executionPolicy?.retry {
      retry = CallRetry(policy)
    }
    didConfigure()
  }

  /// An attempt has ended and its stream is closed, or it never had one.
  final func attemptDidEnd(_ end: End) {
    if !tryAgain(after: end) { self.end(end) }
  }

  /// Has the call made again, if its policy and the server allow that.
  private final func tryAgain(after end: End) -> Bool {
    guard var retry, case let code = end.code, code != .ok, channel.phase != .stopped else {
      return false
    }
    var random = SystemRandomNumberGenerator()
    let wait = retry.wait(
      after: code, headers.pushback, throttle: channel.throttle, using: &random)
    self.retry = retry
    guard let wait, rewind() else { return false }
    untrack(end)
    endAttempt(end)
    measureAttempt(code)
    measure?.willRetry(transparently: false)
    beginAgain()
    previousAttempts = retry.attempts - 1
    channel.counters.retries += 1
    channel.rest(self, for: wait)
    return true
  }
}

extension ClientCall.End {
  /// The call's status code.
  var code: Status.Code {
    switch self {
    case .status(let status, _): status.code
    case .failure(let error): Status.Code(error.code)
    }
  }
}
