import CNghttp2
import EventLoop

/// What a connection does to keep its client within bounds: in time, and in how much it may do.
extension ServerConnection {
  /// The state of it.
  struct Limits {
    fileprivate var scanner = FrameScanner(prefaceSize: Int(NGHTTP2_CLIENT_MAGIC_LEN))
    fileprivate var floodGuard: FloodGuard
    fileprivate var pingStrikes: PingStrikes
    fileprivate var isShaken = false
    /// Runs while the client owes the rest of the handshake, or of a header block.
    fileprivate var debtTimer: ScheduledTimer?
    fileprivate var ageTimer: ScheduledTimer?
    fileprivate var idleTimer: ScheduledTimer?
    fileprivate var idleSince = ContinuousClock.now
    fileprivate var keepalive: KeepaliveTimer?

    init(_ configuration: Configuration) {
      floodGuard = FloodGuard(configuration.floodLimits)
      pingStrikes = PingStrikes(configuration.pingPolicy)
    }
  }

  /// Starts what watches over the client. One that was adopted may be long in coming, and could not come back.
  func startLimits() {
    if let settings = configuration.keepalive {
      limits.keepalive = KeepaliveTimer(settings, on: loop, of: self)
    }
    guard !isAdopted else { return }
    limits.debtTimer = loop.schedule(after: configuration.handshakeTimeout) {
      self.expel("handshake_timeout")
    }
    if let age = configuration.maxConnectionAge {
      var random = SystemRandomNumberGenerator()
      limits.ageTimer = loop.schedule(after: Self.jittered(age, using: &random)) {
        self.drain(limit: self.configuration.maxConnectionAgeGrace)
      }
    }
    limits.keepalive?.start()
    didBecomeIdle()
  }

  func stopLimits() {
    limits.debtTimer?.cancel()
    limits.ageTimer?.cancel()
    limits.idleTimer?.cancel()
    limits.keepalive?.stop()
  }

  /// 10 % more or less, so that clients that came together do not leave together.
  static func jittered(
    _ age: Duration, using random: inout some RandomNumberGenerator
  ) -> Duration {
    age * Double.random(in: 0.9...1.1, using: &random)
  }

  // MARK: How much it may do

  /// Looks at bytes before the session does, which takes them unless they are too much.
  func inspect(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard phase < .expelled else { return false }
    limits.keepalive?.didReceive()
    var flood: FloodGuard.Flood?
    var scanner = limits.scanner
    scanner.scan(bytes) { frame in
      guard flood == nil else { return }
      flood = limits.floodGuard.didReceive(
        frame, hasSentData: session.hasSentData, sent: session.sentData, at: { .now })
    }
    limits.scanner = scanner
    if let flood {
      expel(flood.rawValue)
      return false
    }
    if limits.isShaken { checkHeaderBlock() }
    return true
  }

  func didProvokeReset() {
    if let flood = limits.floodGuard.didProvokeReset(at: .now) { expel(flood.rawValue) }
  }

  /// A client that has heard of the limit has no cause to go beyond it. One that has not may, for a round trip.
  func didExceedStreamLimit() {
    if session.peerKnowsStreamLimit { didProvokeReset() }
  }

  /// What is answered to a client that reads nothing is kept, and must not be without bound. The streams that it may
  /// have open take a few frames each, of which there are never as many.
  func checkQueue() {
    let bound = 4096 + 4 * min(configuration.maxConcurrentStreams, Int(Int32.max))
    if session.queuedFrameCount > bound { expel("too_many_unread_answers") }
  }

  func didReceivePing() {
    let isTooMany = limits.pingStrikes.didReceive(
      hasCalls: isBusy, hasSentData: session.hasSentData, at: .now)
    session.hasSentData = false
    if isTooMany { expel("too_many_pings") }
  }

  // MARK: How long it may take

  func handshakeDidEnd() {
    guard !limits.isShaken else { return }
    limits.isShaken = true
    limits.debtTimer?.cancel()
    limits.debtTimer = nil
    limits.keepalive?.start()
    checkHeaderBlock()
  }

  private func checkHeaderBlock() {
    guard limits.scanner.isInsideHeaderBlock else {
      if let timer = limits.debtTimer {
        timer.cancel()
        limits.debtTimer = nil
      }
      return
    }
    guard limits.debtTimer == nil else { return }
    limits.debtTimer = loop.schedule(after: configuration.headerTimeout) {
      self.expel("header_timeout")
    }
  }

  func didBecomeIdle() {
    guard let idle = configuration.maxConnectionIdle, !isAdopted else { return }
    limits.idleSince = .now
    if limits.idleTimer == nil { waitForIdleness(until: limits.idleSince + idle) }
  }

  /// The timer is left running while there are calls, and looks again when the last of them was.
  private func waitForIdleness(until due: ContinuousClock.Instant) {
    limits.idleTimer = loop.schedule(at: due) {
      self.limits.idleTimer = nil
      guard !self.isBusy, let idle = self.configuration.maxConnectionIdle else { return }
      let due = self.limits.idleSince + idle
      if due <= .now { self.drain(limit: nil) } else { self.waitForIdleness(until: due) }
    }
  }

  // MARK: Whether it is still there

  var isBusy: Bool { !session.streams.isEmpty }

  /// It may have been of no interest before.
  func callDidBegin() {
    limits.keepalive?.start()
  }

  func ask() {
    session.submitPing(0)
    setNeedsFlush()
  }

  func giveUp(_ reason: String) {
    close()
  }
}
