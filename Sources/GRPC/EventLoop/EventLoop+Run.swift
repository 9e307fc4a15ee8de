import CLinux
import Glibc

extension EventLoop {
  /// How many events one tick takes from epoll.
  private static var eventsPerTick: Int { 256 }
  /// How many rounds of jobs one tick runs: a job that always enqueues another must not keep the
  /// loop from its descriptors.
  private static var roundsPerTick: Int { 64 }

  func run() {
    // Freed when the thread ends, so the pointer is good for all of the loop.
    let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: Self.eventsPerTick)
    defer { events.deallocate() }
    while true {
      waitForEvents(events)
      if hasMail.load(ordering: .relaxed) { takeMail() }
      fireTimers()
      runJobs()
      runEndOfTickHandlers()
      if local.isEmpty, endOfTick.isEmpty, stopIfAsked() { return }
    }
  }

  /// What a thread does that was brought up for jobs which came after the shutdown.
  func runLateJobs() {
    while true {
      takeMail()
      runJobs()
      let done = mailbox.withLock { mailbox -> Bool in
        guard local.isEmpty, mailbox.work.isEmpty else { return false }
        threadID.store(0, ordering: .relaxed)
        mailbox.life = .stopped
        return true
      }
      if done { return }
    }
  }

  private func waitForEvents(_ events: UnsafeMutableBufferPointer<epoll_event>) {
    let busy = !local.isEmpty || !endOfTick.isEmpty
    let sleeps = !busy && fallAsleep()
    let timeout = sleeps ? millisecondsToNextTimer() : 0
    let count = epoll_wait(epoll, events.baseAddress, Int32(events.count), timeout)
    if sleeps { asleep.store(false, ordering: .relaxed) }
    guard count > 0 else { return }
    for event in events[..<Int(count)] where event.data.u64 != 0 {
      descriptors.handler(token: event.data.u64)?
        .descriptorIsReady(Readiness(rawValue: event.events))
    }
  }

  /// Marks the loop as asleep unless there is mail, of which being told to stop is a kind.
  private func fallAsleep() -> Bool {
    asleep.store(true, ordering: .sequentiallyConsistent)
    guard hasMail.load(ordering: .sequentiallyConsistent) else { return true }
    asleep.store(false, ordering: .relaxed)
    return false
  }

  /// Rounded up, so that a timer is due when the loop wakes for it; -1 for no timer.
  private func millisecondsToNextTimer() -> Int32 {
    guard let first = timers.first else { return -1 }
    let wait = first.deadline - .now
    guard wait > .zero else { return 0 }
    let (seconds, attoseconds) = wait.components
    if seconds > 1_000_000 { return 1_000_000_000 }
    return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  private func takeMail() {
    // The order within the loop's own queue is kept, and mail comes after it.
    mailbox.withLock { mailbox in
      hasMail.store(false, ordering: .relaxed)
      if local.isEmpty {
        swap(&local, &mailbox.work)
      } else {
        local.append(contentsOf: mailbox.work)
        mailbox.work.removeAll(keepingCapacity: true)
      }
    }
  }

  private func fireTimers() {
    guard timers.first != nil else { return }
    let now = ContinuousClock.now
    while let timer = timers.removeFirst(dueAt: now) { timer.fire() }
  }

  private func runJobs() {
    let executor = asUnownedTaskExecutor()
    for _ in 0..<Self.roundsPerTick {
      guard !local.isEmpty else { return }
      var work = spareWork
      spareWork = []
      swap(&work, &local)
      for item in work {
        switch item {
        case .preferring(let job): job.runSynchronously(on: executor)
        case .isolated(let job):
          job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: executor)
        case .block(let block): block()
        }
        if endsTickEarly { runEndOfTickHandlers() }
      }
      work.removeAll(keepingCapacity: true)
      spareWork = work
    }
  }

  private func runEndOfTickHandlers() {
    endsTickEarly = false
    guard !endOfTick.isEmpty else { return }
    var handlers = spareHandlers
    spareHandlers = []
    swap(&handlers, &endOfTick)
    for handler in handlers { handler.tickDidEnd() }
    handlers.removeAll(keepingCapacity: true)
    spareHandlers = handlers
  }

  /// Ends the loop's life if it is to stop and all is done.
  private func stopIfAsked() -> Bool {
    guard isStopping.load(ordering: .relaxed) else { return false }
    retireIdleWorkers()
    // What the last of them held may have left work behind.
    guard local.isEmpty, endOfTick.isEmpty else { return false }
    let onStop = mailbox.withLock { mailbox -> [@Sendable () -> Void]? in
      guard mailbox.work.isEmpty else { return nil }
      mailbox.life = .stopped
      threadID.store(0, ordering: .relaxed)
      defer { mailbox.onStop = [] }
      return mailbox.onStop
    }
    guard let onStop else { return false }
    timers.removeAll()
    for stopped in onStop { stopped() }
    return true
  }
}
