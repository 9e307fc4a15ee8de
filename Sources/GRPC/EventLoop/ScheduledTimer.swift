/// An action that an ``EventLoop`` will run at a point in time, unless it is cancelled before.
///
/// `@unchecked Sendable` holds because all mutable state is touched on the loop alone.
public final class ScheduledTimer: @unchecked Sendable {
  /// When the action is due.
  public let deadline: ContinuousClock.Instant
  private let loop: EventLoop
  private var action: (@Sendable () -> Void)?
  /// The place in the loop's ``TimerHeap``, which keeps it current; nil when not in it.
  var position: Int?

  init(
    deadline: ContinuousClock.Instant, loop: EventLoop, action: @escaping @Sendable () -> Void
  ) {
    self.deadline = deadline
    self.loop = loop
    self.action = action
  }

  /// Gives up the action. On the loop's own thread it is certain not to run any more; from
  /// another thread it may just be running. Cancelling twice, or late, does nothing.
  public func cancel() {
    guard loop.inEventLoop else { return loop.execute { self.cancel() } }
    action = nil
    loop.remove(self)
  }

  func fire() {
    let action = self.action
    self.action = nil
    action?()
  }
}
