import EventLoop
import GRPCCore

/// How a connection is given up: in good order, and at the latest when a limit is over.
extension ServerConnection {
  /// What the PING after the first GOAWAY carries.
  private static let drainPing: UInt64 = 0x6472_6169_6e69_6e67
  /// How long a client has to take the last answers.
  private static let flushTime = Duration.seconds(1)

  /// Asks the client to open no more calls, and closes when those it has are done.
  ///
  /// Calls that were on their way while the client had not heard of it are served like any other:
  /// that is what the first GOAWAY, which names no last stream, and the PING behind it are for. A
  /// client that does not answer the PING is taken to have heard of it after a while.
  ///
  /// - Parameter limit: How long the calls have before they are ended; nil for as long as they need.
  func drain(limit: Duration?) {
    if phase < .ending, let limit { abandonCalls(at: .now + limit) }
    guard phase == .serving else { return }
    phase = .announcing
    session.submitShutdownNotice()
    session.latePing = Self.drainPing
    announcementTimer = loop.schedule(after: configuration.announcementTime) {
      self.nameLastCall()
    }
    setNeedsFlush()
  }

  func didReceiveAnswer(toPing payload: UInt64) {
    if payload == Self.drainPing { nameLastCall() }
  }

  /// Serves no calls any more but those that have come by now. The client learns from the second GOAWAY which those
  /// are, so that it can make the others elsewhere.
  private func nameLastCall() {
    guard phase == .announcing else { return }
    announcementTimer?.cancel()
    phase = .draining
    session.submitGoAway(.noError)
    setNeedsFlush()
  }

  private func abandonCalls(at deadline: ContinuousClock.Instant) {
    if let phaseTimer, phaseTimer.deadline <= deadline { return }
    phaseTimer?.cancel()
    phaseTimer = loop.schedule(at: deadline) { self.abandonCalls() }
  }

  /// Ends all calls with `unavailable`, and closes when the client has been told.
  func abandonCalls() {
    guard phase < .ending else { return }
    phase = .ending
    for stream in session.streams {
      (stream as? ServerCall)?.abandon(
        Status(code: .unavailable, message: "The server is shutting down."))
    }
    phaseTimer?.cancel()
    // A client that does not take its answers sees its calls fail with the connection.
    phaseTimer = loop.schedule(after: Self.flushTime) { self.closeAfterGoAway(.noError) }
    setNeedsFlush()
    if session.streams.isEmpty { terminate(.noError) }
  }

  /// Sends a client away that does what it must not.
  ///
  /// - Parameter words: What that is; for people, in ASCII.
  func expel(_ words: String) {
    guard phase < .expelled else { return }
    phase = .expelled
    let error = RPCError(
      code: .cancelled, message: "The connection was closed for what its client did: \(words).")
    for stream in session.streams { (stream as? ServerCall)?.cancelHandler(error) }
    closeAfterGoAway(.enhanceYourCalm, saying: words)
  }

  private func closeAfterGoAway(_ code: HTTP2ErrorCode, saying words: String = "") {
    terminate(code, saying: words)
    phaseTimer?.cancel()
    // A client that takes nothing would not see the GOAWAY either.
    phaseTimer = loop.schedule(after: Self.flushTime) { self.close() }
  }
}
