import CLinux
import Glibc

extension EventLoop {
  /// Starts a thread that runs `body` with the loop, which it keeps alive.
  func startThread(_ body: @escaping @Sendable (EventLoop) -> Void) -> pthread_t {
    final class Start {
      let loop: EventLoop
      let body: @Sendable (EventLoop) -> Void
      init(_ loop: EventLoop, _ body: @escaping @Sendable (EventLoop) -> Void) {
        self.loop = loop
        self.body = body
      }
    }
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    // A new thread inherits the mask: no signal is ever delivered on a loop's thread.
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var thread = pthread_t()
    let start = Unmanaged.passRetained(Start(self, body)).toOpaque()
    let failure = pthread_create(
      &thread, nil,
      { opaque in
        // The one reference that passRetained left is taken over here, once.
        guard let opaque else { return nil }
        let start = Unmanaged<Start>.fromOpaque(opaque).takeRetainedValue()
        pthread_setname_np(
          pthread_self(), String(decoding: start.loop.name.utf8.prefix(15), as: UTF8.self))
        start.loop.threadID.store(UInt(pthread_self()), ordering: .relaxed)
        start.body(start.loop)
        return nil
      }, start)
    guard failure == 0 else {
      fatalError("Cannot start an event loop. \(SystemError("pthread_create", code: failure))")
    }
    return thread
  }

  /// Stops the loop and joins its thread.
  ///
  /// Whatever uses the loop should be closed before. Jobs that are enqueued already still run,
  /// timers that are not due do not. A job that comes later is run by a thread brought up for it,
  /// so that no task is left hanging.
  public func shutdown() async {
    let onOwnThread = inEventLoop
    let first = await withUnsafeContinuation { (stopped: UnsafeContinuation<Bool, Never>) in
      let begun = mailbox.withLock { mailbox -> Bool? in
        switch mailbox.life {
        case .running:
          mailbox.life = .stopping
          isStopping.store(true, ordering: .sequentiallyConsistent)
          hasMail.store(true, ordering: .sequentiallyConsistent)
          mailbox.onStop.append { stopped.resume(returning: true) }
          return true
        case .stopping:
          mailbox.onStop.append { stopped.resume(returning: false) }
          return true
        case .stopped, .lateJobs:
          return nil
        }
      }
      if begun == nil { stopped.resume(returning: false) } else { wakeIfAsleep() }
    }
    guard first else { return }
    if onOwnThread { pthread_detach(thread) } else { pthread_join(thread, nil) }
  }
}
