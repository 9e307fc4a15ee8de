extension EventLoop {
  /// Runs an action on the loop at a point in time. From any thread.
  ///
  /// Timers are as fine as epoll's milliseconds and never early. One that is still waiting when
  /// the loop shuts down is dropped.
  ///
  /// - Parameters:
  ///   - deadline: When; a time that has passed means the loop's next tick.
  ///   - action: What to do, which must not block the thread.
  /// - Returns: The timer, with which it can be cancelled.
  @discardableResult
  public func schedule(
    at deadline: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void
  ) -> ScheduledTimer {
    let timer = ScheduledTimer(deadline: deadline, loop: self, action: action)
    if inEventLoop {
      timers.insert(timer)
    } else {
      // A cancellation from the same thread comes through the same queue, so it comes later.
      execute { self.timers.insert(timer) }
    }
    return timer
  }

  /// Runs an action on the loop after some time; see ``schedule(at:_:)``.
  ///
  /// - Parameters:
  ///   - delay: How long to wait from now.
  ///   - action: What to do, which must not block the thread.
  /// - Returns: The timer, with which it can be cancelled.
  @discardableResult
  public func schedule(
    after delay: Duration, _ action: @escaping @Sendable () -> Void
  ) -> ScheduledTimer {
    schedule(at: .now + delay, action)
  }

  func remove(_ timer: ScheduledTimer) {
    timers.remove(timer)
  }
}
