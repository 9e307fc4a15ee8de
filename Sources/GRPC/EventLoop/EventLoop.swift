import CLinux
import Glibc
import Synchronization

/// A thread that waits for descriptors, timers and jobs, and runs what they call for, one at a
/// time.
///
/// A loop is a task executor: `Task(executorPreference: loop)` runs on its thread. It also
/// isolates: an actor whose `unownedExecutor` is ``asUnownedSerialExecutor()`` runs on its thread,
/// and can be entered from a ``DescriptorHandler`` by `assumeIsolated`. What is enqueued from the
/// loop's own thread takes no lock; what comes from elsewhere wakes the loop only if it sleeps.
///
/// A tick of the loop is: wait for readiness, tell the handlers, fire due timers, run the jobs,
/// and at last the end-of-tick handlers, which write what the tick has produced.
///
/// `@unchecked Sendable` holds because every `var` here is touched by the loop's thread alone,
/// before it starts or after it has ended; the rest is atomic or behind the mutex.
public final class EventLoop: TaskExecutor, @unchecked Sendable {
  enum Work {
    /// A job of a task that prefers this loop.
    case preferring(UnownedJob)
    /// A job of an actor that is pinned to this loop.
    case isolated(UnownedJob)
    case block(@Sendable () -> Void)
  }

  /// What other threads may touch.
  struct Mailbox {
    enum Life {
      case running
      case stopping
      /// The thread is gone; a late job brings up another for as long as there are jobs.
      case stopped
      case lateJobs
    }

    var life = Life.running
    var work: [Work] = []
    var onStop: [@Sendable () -> Void] = []
  }

  /// The thread's name.
  public let name: String
  let epoll: Int32
  let wakeUp: Int32
  let mailbox = Mutex(Mailbox())
  /// Set while the mailbox holds work, so that the loop need not lock to find it empty.
  let hasMail = Atomic<Bool>(false)
  /// Set while the loop waits without a look at its mail; who clears it must wake the loop.
  ///
  /// The loop sets this and then looks at `hasMail`, a sender sets `hasMail` and then looks at
  /// this, all sequentially consistent: at least one of them sees the other.
  let asleep = Atomic<Bool>(false)
  let isStopping = Atomic<Bool>(false)
  let threadID = Atomic<UInt>(0)
  /// Written once before the thread starts to run anything.
  private(set) var thread = pthread_t()

  @exclusivity(unchecked)
  var local: [Work] = []
  @exclusivity(unchecked)
  var timers = TimerHeap()
  @exclusivity(unchecked)
  var descriptors = DescriptorTable()
  @exclusivity(unchecked)
  var endOfTick: [any EndOfTickHandler] = []
  /// Whether the end-of-tick handlers are to run before the next job.
  var endsTickEarly = false
  var attachments: [ObjectIdentifier: AnyObject] = [:]
  @exclusivity(unchecked)
  var idleWorkers: [LoopWorker] = []
  /// Where the next job goes instead of the queue, to be run at once.
  @exclusivity(unchecked)
  var nextJob: UnownedJob?
  @exclusivity(unchecked)
  var takesNextJob = false
  /// The emptied array of the previous round, kept for its storage.
  @exclusivity(unchecked)
  var spareWork: [Work] = []
  @exclusivity(unchecked)
  var spareHandlers: [any EndOfTickHandler] = []
  let serialExecutor = EventLoopSerialExecutor()

  /// Starts a loop.
  ///
  /// The thread has all signals blocked. It lives until ``shutdown()``.
  ///
  /// - Parameter name: The thread's name, of which Linux shows the first 15 bytes.
  public init(name: String = "loop") {
    self.name = name
    epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    wakeUp = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard epoll >= 0, wakeUp >= 0 else {
      fatalError("Cannot make an event loop. \(SystemError("epoll_create1"))")
    }
    // Edge-triggered, so that the counter never needs to be read.
    var event = epoll_event()
    event.events = EPOLLIN.rawValue | EPOLLET.rawValue
    event.data.u64 = 0
    guard epoll_ctl(epoll, EPOLL_CTL_ADD, wakeUp, &event) == 0 else {
      fatalError("Cannot make an event loop. \(SystemError("epoll_ctl"))")
    }
    serialExecutor.loop = self
    thread = startThread { $0.run() }
  }

  /// Whether the calling thread is this loop's.
  public var inEventLoop: Bool {
    threadID.load(ordering: .relaxed) == UInt(pthread_self())
  }

  /// Runs a block on the loop: after what is enqueued already, never inside this call.
  ///
  /// - Parameter block: The work, which must not block the thread.
  public func execute(_ block: @escaping @Sendable () -> Void) {
    enqueue(.block(block))
  }

  /// The loop as an actor's executor.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    serialExecutor.asUnownedSerialExecutor()
  }

  /// Takes a job of a task that prefers this loop. The runtime calls this.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if inEventLoop, takesNextJob {
      takesNextJob = false
      nextJob = job
    } else {
      enqueue(.preferring(job))
    }
  }

  /// Has a handler called once when the current tick ends. Only on the loop.
  ///
  /// - Parameter handler: Held until it was called.
  public func atEndOfTick(_ handler: any EndOfTickHandler) {
    endOfTick.append(handler)
  }

  /// Has the end-of-tick handlers called before the tick's next job. Only on the loop.
  ///
  /// What a tick produces is written at once, which is cheapest; but where it produces much, whoever gets it could have
  /// begun with the first of it, and would not be done with the last when this loop has nothing to do any more.
  public func endTickEarly() {
    endsTickEarly = true
  }

  func enqueue(_ work: consuming Work) {
    if inEventLoop {
      local.append(work)
    } else {
      enqueueFromOutside(work)
    }
  }

  private func enqueueFromOutside(_ work: consuming Work) {
    let work = consume work
    let comesLate = mailbox.withLock { mailbox in
      mailbox.work.append(work)
      hasMail.store(true, ordering: .sequentiallyConsistent)
      guard mailbox.life == .stopped else { return false }
      mailbox.life = .lateJobs
      return true
    }
    if comesLate {
      pthread_detach(startThread { $0.runLateJobs() })
    } else {
      wakeIfAsleep()
    }
  }

  func wakeIfAsleep() {
    guard asleep.exchange(false, ordering: .sequentiallyConsistent) else { return }
    eventfd_write(wakeUp, 1)
  }

  deinit {
    // Not earlier: a sender may still be about to wake a loop that has just stopped.
    close(epoll)
    close(wakeUp)
  }
}
