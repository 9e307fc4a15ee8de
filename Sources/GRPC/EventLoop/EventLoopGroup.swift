import CLinux
import Glibc
import Synchronization

/// Some event loops, handed out in turn.
public final class EventLoopGroup: Sendable {
  /// The loops, in the order in which ``next()`` gives them.
  public let loops: [EventLoop]
  private let turn = Atomic<Int>(0)

  /// One loop per processor for those who have no wish of their own; made on first use, and never
  /// shut down.
  public static let shared = EventLoopGroup()

  /// Starts loops.
  ///
  /// - Parameters:
  ///   - count: How many, at least one; by default as many as the process may use processors.
  ///   - name: The beginning of the threads' names.
  public init(count: Int = EventLoopGroup.processorCount, name: String = "loop") {
    loops = (0..<max(1, count)).map { EventLoop(name: "\(name)-\($0)") }
  }

  /// How many processors the process may use.
  public static var processorCount: Int {
    var set = cpu_set_t()
    guard sched_getaffinity(0, MemoryLayout<cpu_set_t>.size, &set) == 0 else {
      return max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }
    return withUnsafeBytes(of: set) { $0.reduce(0) { $0 + $1.nonzeroBitCount } }
  }

  /// The loop whose turn it is.
  public func next() -> EventLoop {
    if loops.count == 1 { return loops[0] }
    let turn = turn.wrappingAdd(1, ordering: .relaxed).oldValue
    return loops[(turn & Int.max) % loops.count]
  }

  /// Shuts all loops down; see ``EventLoop/shutdown()``.
  public func shutdown() async {
    for loop in loops { await loop.shutdown() }
  }
}
