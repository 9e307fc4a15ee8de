extension EventLoop {
  /// Starts a task that prefers this loop, and runs it inside this call up to where it first
  /// waits. Only on the loop.
  ///
  /// A task that is queued instead runs when others like it have been made, too, and by then its
  /// memory and theirs have driven each other out of the caches.
  ///
  /// - Parameter operation: What the task does.
  /// - Returns: The task, which may have ended already.
  public func startTask(
    _ operation: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    isStartingTask = true
    let task = Task(executorPreference: self, operation: operation)
    isStartingTask = false
    if let job = jobToStart {
      jobToStart = nil
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
    return task
  }
}
