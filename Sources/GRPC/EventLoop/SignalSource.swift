import CLinux
import Glibc

/// Tells an event loop of the process's signals.
///
/// The signals must be blocked in every thread, so call ``block(_:)`` first thing in `main`,
/// before anything starts a thread.
///
/// `@unchecked Sendable` holds because all mutable state is touched on the loop alone.
public final class SignalSource: DescriptorHandler, @unchecked Sendable {
  private let loop: EventLoop
  private let descriptor: Int32
  private let handler: @Sendable (Int32) -> Void
  private var registration: DescriptorRegistration?

  /// Blocks signals in the calling thread and in those it will start, as `signalfd` needs.
  ///
  /// - Parameter signals: Signal numbers, for example `SIGTERM`.
  public static func block(_ signals: [Int32]) {
    var set = Self.set(of: signals)
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Starts to watch for signals.
  ///
  /// - Parameters:
  ///   - signals: Signal numbers that are blocked in all threads.
  ///   - loop: The loop to be told on.
  ///   - handler: Called on the loop with the number of a signal that came. Several signals of
  ///     one number that come before the loop looks count as one.
  /// - Throws: ``SystemError`` if `signalfd` fails.
  public init(
    _ signals: [Int32], on loop: EventLoop, handler: @escaping @Sendable (Int32) -> Void
  ) throws(SystemError) {
    var set = Self.set(of: signals)
    descriptor = signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
    guard descriptor >= 0 else { throw SystemError("signalfd") }
    self.loop = loop
    self.handler = handler
    loop.execute {
      // A signalfd is always accepted by epoll.
      self.registration = try? loop.register(self.descriptor, for: .readable, handler: self)
    }
  }

  /// Stops watching. The signals stay blocked.
  public func close() {
    loop.execute {
      guard let registration = self.registration else { return }
      self.registration = nil
      self.loop.deregister(registration)
      Glibc.close(self.descriptor)
    }
  }

  /// Reads the signals that came. The loop calls this.
  public func descriptorIsReady(_ readiness: Readiness) {
    var info = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    while registration != nil, read(descriptor, &info, size) == size {
      handler(Int32(info.ssi_signo))
    }
  }

  private static func set(of signals: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    return set
  }
}
