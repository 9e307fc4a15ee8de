extension EventLoop {
  /// How many workers wait for more work at most. Each keeps the memory of its task.
  private static var maxIdleWorkers: Int { 256 }

  /// Does work in a task that prefers this loop, inside this call up to where it first waits. Only on
  /// the loop.
  ///
  /// Work that is queued instead runs when more of it has come, too, and by then its memory and the
  /// others' have driven each other out of the caches.
  ///
  /// - Parameter work: What to do.
  /// - Returns: What does the work, by which it can be cancelled until it ends; nil if it has ended
  ///   already.
  public func run(_ work: any LoopWork) -> LoopWorker? {
    let worker = idleWorkers.popLast() ?? LoopWorker(on: self)
    worker.take(work)
    return worker.isWorking ? worker : nil
  }

  /// Takes back a worker whose work has ended.
  ///
  /// - Returns: Whether it shall wait for more.
  func takeBack(_ worker: LoopWorker) -> Bool {
    guard idleWorkers.count < Self.maxIdleWorkers, inEventLoop,
      !isStopping.load(ordering: .relaxed)
    else { return false }
    idleWorkers.append(worker)
    return true
  }

  func retireIdleWorkers() {
    while let worker = idleWorkers.popLast() { worker.retire() }
  }

  /// Runs the job that a closure enqueues here, at once.
  func runNextJob(_ enqueue: () -> Void) {
    takesNextJob = true
    enqueue()
    takesNextJob = false
    guard let job = nextJob else { return }
    nextJob = nil
    job.runSynchronously(on: asUnownedTaskExecutor())
  }
}
