/// Something to be done in a task on a loop.
public protocol LoopWork: AnyObject, Sendable {
  /// Does it.
  ///
  /// - Parameter worker: The worker that does it, in whose task this is.
  nonisolated(nonsending) func run(by worker: LoopWorker) async
}

/// A task that prefers a loop and does one piece of work there after another.
///
/// A task is expensive to create beside what a short piece of work costs: it is an object with memory
/// of its own, and knows its executor by a record in that. A worker whose work has ended waits for
/// more of it.
///
/// ```
///   working ──work ends──▶ idle ──more work──▶ working
///      │                    └──the loop stops──▶ retired
///      └──work ends, and the task is cancelled, or there are idle workers enough──▶ retired
/// ```
///
/// Work does not see what was before it in the same task. What is bound to a task by a scope ends with
/// its work, and a task that was cancelled gets no more.
///
/// `@unchecked Sendable` holds because all mutable state is touched on the loop alone.
public final class LoopWorker: @unchecked Sendable {
  /// Without counting references: a worker works and waits on its loop's thread, which holds it.
  private unowned(unsafe) let loop: EventLoop
  @exclusivity(unchecked)
  private var work: (any LoopWork)?
  @exclusivity(unchecked)
  private var moreWork: UnsafeContinuation<Void, Never>?
  private var task: Task<Void, Never>?
  /// The same, to be recognized by; it is compared and nothing else.
  private var ownTask: UnsafeCurrentTask?

  init(on loop: EventLoop) {
    self.loop = loop
  }

  /// Cancels the work that it has. Only on the loop, and before that ends.
  public func cancel() {
    task?.cancel()
  }

  /// Whether the calling code runs in the worker's task itself, and not in a child of that.
  public var isCurrentTask: Bool { withUnsafeCurrentTask { $0 != nil && $0 == ownTask } }

  /// Whether its work waits for something.
  var isWorking: Bool { work != nil }

  /// Does work, up to where that first waits.
  func take(_ work: any LoopWork) {
    self.work = work
    resume()
  }

  /// Ends its task, while it is idle.
  func retire() {
    resume()
  }

  private func resume() {
    loop.runNextJob {
      if let moreWork {
        self.moreWork = nil
        moreWork.resume()
      } else {
        task = Task(executorPreference: loop) {
          withUnsafeCurrentTask { self.ownTask = $0 }
          while self.work != nil {
            await self.work?.run(by: self)
            self.work = nil
            guard !Task.isCancelled, self.loop.takeBack(self) else { return }
            await withUnsafeContinuation { self.moreWork = $0 }
          }
        }
      }
    }
  }
}
