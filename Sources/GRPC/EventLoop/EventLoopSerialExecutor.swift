/// The side of an ``EventLoop`` that isolates: actors pinned to the loop have it as their
/// executor.
///
/// It is an object of its own because a job must know at which door it came in. A task that only
/// prefers the loop has no isolation; were its jobs run as isolated to the loop, each call of a
/// nonisolated function would go through the queue once more.
///
/// `@unchecked Sendable` holds because `loop` is set once, before the loop is handed to anyone.
final class EventLoopSerialExecutor: SerialExecutor, @unchecked Sendable {
  /// The loop owns its serial executor, so it outlives every use through it.
  unowned var loop: EventLoop?

  func enqueue(_ job: consuming ExecutorJob) {
    loop?.enqueue(.isolated(UnownedJob(job)))
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  func checkIsolated() {
    precondition(
      loop?.inEventLoop == true, "Not on the event loop that this actor is pinned to")
  }

  func isIsolatingCurrentContext() -> Bool? {
    loop?.inEventLoop
  }
}
