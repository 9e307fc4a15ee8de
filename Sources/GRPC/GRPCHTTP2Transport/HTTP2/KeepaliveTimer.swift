import EventLoop

/// A connection that a ``KeepaliveTimer`` watches over.
protocol KeepaliveConnection: AnyObject {
  /// Whether it has calls, in which case a silent peer matters.
  var isBusy: Bool { get }

  /// Asks the peer for a sign of life.
  func ask()

  /// Closes at once, since the peer has not answered for too long; the calls fail.
  func giveUp(_ reason: String)
}

/// Watches over one connection that may have gone silent. Confined to its loop.
final class KeepaliveTimer: @unchecked Sendable {
  private enum State {
    /// There is nothing to watch over.
    case stopped
    case watching
    /// A PING is on its way since this moment.
    case asking(since: ContinuousClock.Instant)
  }

  private let settings: Keepalive
  private let loop: EventLoop
  private unowned let connection: any KeepaliveConnection
  private var state = State.stopped
  private var timer: ScheduledTimer?
  private var lastReceived = ContinuousClock.now

  init(_ settings: Keepalive, on loop: EventLoop, of connection: any KeepaliveConnection) {
    self.settings = settings
    self.loop = loop
    self.connection = connection
  }

  /// Begins to watch if there is reason to and it does not already.
  func start() {
    guard case .stopped = state, isNeeded else { return }
    state = .watching
    lastReceived = .now
    wait(until: lastReceived + settings.time)
  }

  func stop() {
    state = .stopped
    timer?.cancel()
    timer = nil
  }

  /// Bytes came, whatever they were.
  func didReceive() {
    lastReceived = .now
  }

  private var isNeeded: Bool { settings.permitWithoutCalls || connection.isBusy }

  private func wait(until instant: ContinuousClock.Instant) {
    timer = loop.schedule(at: instant) { [weak self] in self?.check() }
  }

  private func check() {
    switch state {
    case .stopped:
      break
    case .asking(let since) where lastReceived < since:
      connection.giveUp("the peer did not answer a keepalive PING within \(settings.timeout)")
    case .watching, .asking:
      guard isNeeded else { return stop() }
      let due = lastReceived + settings.time
      let now = ContinuousClock.now
      if now < due {
        state = .watching
        wait(until: due)
      } else {
        state = .asking(since: now)
        connection.ask()
        wait(until: now + settings.timeout)
      }
    }
  }
}
