import Synchronization

/// How many calls a server handles at a time. Those beyond it are sent away at once, while what the
/// server has begun goes on as quickly as before; a queue would only grow.
///
/// A call that is sent away fails with ``RPCError/Code/resourceExhausted``, and its trailing metadata
/// says when to try again: `grpc-retry-pushback-ms`, as gRPC's retry design (A6) has it.
public final class ConcurrencyLimit: Sendable {
  /// The calls of a kind.
  private final class Gauge: Sendable {
    let maximum: Int
    let current = Atomic<Int>(0)

    init(maximum: Int) {
      self.maximum = maximum
    }

    var isHalfEmpty: Bool { current.load(ordering: .sequentiallyConsistent) <= maximum / 2 }
  }

  private let unary: Gauge
  private let streaming: Gauge
  private let pushback: Duration
  private let onOverload: @Sendable (Bool) -> Void
  private let isOverloaded = Atomic<Bool>(false)
  /// Held while that changes and is told, so that what is told last is so.
  private let telling = Mutex<Void>(())
  private let refusals = Atomic<UInt64>(0)

  /// Creates a limit, for one service or for several that are to share it.
  ///
  /// - Parameters:
  ///   - unaryCalls: How many unary calls are handled at a time.
  ///   - streamingCalls: How many other calls are. They may last, so they are counted for themselves.
  ///   - pushback: How long those who are sent away are to wait before they try again.
  ///   - onOverload: Called with `true` when the first call is sent away, and with `false` when only
  ///     half as many calls are left as may be; from any thread, one call after the other. It must make no
  ///     calls that count towards the limit, nor wait for some to end: those that come and go wait for it.
  public init(
    unaryCalls: Int, streamingCalls: Int, pushback: Duration,
    onOverload: @escaping @Sendable (Bool) -> Void = { _ in }
  ) {
    unary = Gauge(maximum: unaryCalls)
    streaming = Gauge(maximum: streamingCalls)
    self.pushback = pushback
    self.onOverload = onOverload
  }

  /// How many calls were sent away.
  public var refusedCalls: UInt64 { refusals.load(ordering: .relaxed) }

  /// Takes a call in, unless there is no room for it.
  func enter(isUnary: Bool) -> Bool {
    let gauge = isUnary ? unary : streaming
    guard gauge.current.wrappingAdd(1, ordering: .relaxed).oldValue >= gauge.maximum else {
      return true
    }
    gauge.current.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    refusals.wrappingAdd(1, ordering: .relaxed)
    if !isOverloaded.load(ordering: .relaxed) { tellOfOverload() }
    // The others may have left before they could see that there is an overload, or while this one counted.
    lookForRoom()
    return false
  }

  /// Lets a call go that was taken in.
  func leave(isUnary: Bool) {
    let gauge = isUnary ? unary : streaming
    gauge.current.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    lookForRoom()
  }

  private func tellOfOverload() {
    telling.withLock { _ in
      guard !isOverloaded.exchange(true, ordering: .sequentiallyConsistent) else { return }
      onOverload(true)
    }
  }

  // Of a call that leaves and one that is sent away, one at least sees what the other has done.
  private func lookForRoom() {
    guard isOverloaded.load(ordering: .sequentiallyConsistent), hasRoomAgain else { return }
    telling.withLock { _ in
      guard hasRoomAgain, isOverloaded.exchange(false, ordering: .sequentiallyConsistent) else {
        return
      }
      onOverload(false)
    }
  }

  // Not at the limit itself, around which the calls of an overloaded server come and go.
  private var hasRoomAgain: Bool { unary.isHalfEmpty && streaming.isHalfEmpty }

  /// What those are told who are sent away.
  var refusal: RPCError {
    let (seconds, attoseconds) = pushback.components
    let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    return RPCError(
      code: .resourceExhausted, message: "The server is overloaded; try again later.",
      metadata: ["grpc-retry-pushback-ms": "\(milliseconds)"])
  }
}
