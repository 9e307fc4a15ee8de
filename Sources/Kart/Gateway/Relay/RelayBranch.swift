import EventLoop
import GRPCCore
import KartAPI
import RaceRelay

/// The part of a relay that lives on one event loop, and tells the followers whose calls run there.
///
/// A relay hands each event to each of its branches once. From there on a follower is told without
/// leaving the loop: what it costs to have many followers is what it costs to write to them.
actor RelayBranch {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// nil until the relay has begun.
  private var window: EventWindow?
  private var followers: [Int: Follower] = [:]
  private var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  private var lastFollower = 0
  /// How often followers were woken: what comes between a look and a wait is not slept through.
  private var wakes: UInt64 = 0
  /// How everyone's call has ended, once it has.
  private var end: RPCError?

  /// - Parameters:
  ///   - window: What the relay holds; nil where it has not begun.
  ///   - loop: Where the branch lives.
  init(window: EventWindow?, on loop: EventLoop) {
    self.window = window
    self.loop = loop
  }

  // MARK: - The relay's side, from any thread; what is said first is heard first

  /// Begins with what the relay holds.
  nonisolated func begin(with window: EventWindow) {
    later {
      $0.window = window
      for id in $0.followers.keys { $0.judge(id) }
      $0.wakeAll()
    }
  }

  /// Takes the events after those it has.
  nonisolated func take(_ events: [RelayedEvent]) {
    later {
      for event in events { $0.window?.append(event) }
      $0.wakeAll()
    }
  }

  /// Ends every follower's call, and that of whoever comes.
  nonisolated func end(with error: RPCError) {
    later {
      $0.end = error
      for id in $0.followers.keys { $0.followers[id]?.end = .failure(error) }
      $0.wakeAll()
    }
  }

  // MARK: - The followers' side

  /// Adds a follower.
  ///
  /// - Returns: What it is known by.
  func join(_ follower: Follower) -> Int {
    lastFollower += 1
    followers[lastFollower] = follower
    if let end { followers[lastFollower]?.end = .failure(end) }
    return lastFollower
  }

  /// Removes a follower.
  func leave(_ id: Int) {
    followers[id] = nil
    wake(id)
  }

  /// Replaces the types of event that a follower wants. What is added begins with its newest event.
  func setTypes(_ types: Set<RaceEventType>, of id: Int) {
    followers[id]?.setTypes(types)
    wake(id)
  }

  /// Ends a follower's call.
  func finish(_ id: Int, with error: RPCError? = nil) {
    followers[id]?.end = error.map { .failure($0) } ?? .success(())
    wake(id)
  }

  /// Ends the call of a follower who resumes after an event that the race does not have, now that the relay has
  /// begun, or as soon as it has.
  func endIfAhead(_ id: Int) {
    followers[id]?.mayBeAhead = false
    judge(id)
  }

  /// Has a follower look whether its task was cancelled. From any thread.
  nonisolated func nudge(_ id: Int) {
    later { $0.wake(id) }
  }

  /// Waits until there is something to tell a follower.
  ///
  /// - Parameters:
  ///   - id: The follower.
  ///   - isSlow: Whether it took long over what it was told last. It is then told the newest state
  ///     instead of everything since.
  /// - Throws: How the follower's call fails, or `CancellationError`.
  nonisolated func next(_ id: Int, isSlow: Bool) async throws -> Follower.Delivery {
    while true {
      try Task.checkCancellation()
      let (delivery, seen) = try await here { try $0.look(id, isSlow: isSlow) }
      if let delivery { return delivery }
      await withCheckedContinuation { waiter in
        // A cancellation after this comes to the loop after the wait has begun.
        if Task.isCancelled { return waiter.resume() }
        if loop.inEventLoop {
          assumeIsolated { $0.park(id, waiter, unlessWokenSince: seen) }
        } else {
          later { $0.park(id, waiter, unlessWokenSince: seen) }
        }
      }
    }
  }

  /// Which of the events a follower wants.
  func wanted(_ events: [RelayedEvent], by id: Int) -> [RelayedEvent] {
    followers[id]?.catchUp(with: events) ?? []
  }

  /// Whether a follower's call goes on.
  func isFollowing(_ id: Int) -> Bool {
    followers[id].map { $0.end == nil } ?? false
  }

  /// Takes note of how far a follower has come, and returns whether it has further to go before it
  /// can be told what is held here.
  func caughtUp(_ id: Int, to number: UInt64) -> Bool {
    followers[id]?.cursor = .after(number)
    return isFollowing(id) && window?.reachesBack(to: number) != true
  }

  // MARK: - On the loop

  private func judge(_ id: Int) {
    guard let window, let follower = followers[id], follower.end == nil,
      let problem = follower.problem(at: window.head)
    else { return }
    finish(id, with: problem)
  }

  private func look(
    _ id: Int, isSlow: Bool
  ) throws -> (delivery: Follower.Delivery?, wakes: UInt64) {
    guard let index = followers.index(forKey: id) else { return (.end, wakes) }
    if let end = followers.values[index].end {
      try end.get()
      return (.end, wakes)
    }
    guard let window else { return (nil, wakes) }
    return (followers.values[index].take(from: window, isSlow: isSlow), wakes)
  }

  private func park(
    _ id: Int, _ waiter: CheckedContinuation<Void, Never>, unlessWokenSince seen: UInt64
  ) {
    if followers[id] == nil || wakes != seen {
      waiter.resume()
    } else {
      waiters[id] = waiter
    }
  }

  private func wake(_ id: Int) {
    wakes &+= 1
    waiters.removeValue(forKey: id)?.resume()
  }

  private func wakeAll() {
    wakes &+= 1
    let waiting = waiters
    waiters.removeAll(keepingCapacity: true)
    for waiter in waiting.values { waiter.resume() }
  }

  // Without a hop where the caller is on the loop already, as a follower's call is.
  private nonisolated func here<Result: Sendable>(
    _ body: @Sendable (isolated RelayBranch) throws -> Result
  ) async throws -> Result {
    if let result = try ifHere(body) { return result }
    return try await perform(body)
  }

  private nonisolated func ifHere<Result: Sendable>(
    _ body: (isolated RelayBranch) throws -> Result
  ) rethrows -> Result? {
    loop.inEventLoop ? try assumeIsolated(body) : nil
  }

  private func perform<Result: Sendable>(
    _ body: @Sendable (isolated RelayBranch) throws -> Result
  ) rethrows -> Result {
    try body(self)
  }

  private nonisolated func later(_ body: @escaping @Sendable (isolated RelayBranch) -> Void) {
    loop.execute { self.assumeIsolated(body) }
  }
}
