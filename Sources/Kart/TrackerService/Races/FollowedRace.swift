import EventLoop
import GRPCCore
import KartAPI
import RaceRelay

/// A race that someone follows, folded as its log grows.
///
/// ```
///             load(through:)                receive(_:)
///   loading ─────────────────▶ live ───────────┐
///      │                         ▲─────────────┘
///      └── receive(_:): kept until the load is done
/// ```
actor FollowedRace {
  /// From where a subscriber wants events.
  enum Cursor: Sendable, Hashable {
    /// The newest event of each type first, and besides so many of the newest events.
    case newest(backlog: Int)
    case after(UInt64)
  }

  /// What a subscriber is told.
  enum Delivery: Sendable {
    /// Events, of which there may be none, and whence the next ones come.
    case events([RelayedEvent], next: UInt64)
    /// Nothing is new, and the replica is well.
    case beat(isLive: Bool)
    /// The events wanted next are no longer in memory: they are in the log.
    case inLogOnly
  }

  private enum Phase {
    case loading(pending: [LoggedBatch])
    case live
  }

  // What one delivery holds at most: well below the 4 MiB that a message may have.
  static let deliveryLimit = 256 << 10
  // What a snapshot and its backlog hold at most.
  static let snapshotLimit = 2 << 20
  // What is folded in one go: a few milliseconds' worth.
  static let pageLimit = 128 << 10

  nonisolated let name: String
  private let loop: EventLoop
  private let log: any TelemetryLog
  private var phase = Phase.loading(pending: [])
  private var fold = RaceFold()
  private var window: EventWindow
  private var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
  private var lastWaiter: UInt64 = 0
  private var isDraining = false
  // Counts the wakings. Between the look for news and the wait, an actor on a loop of its own may run
  // something else, so that who would wait for what has just come looks again.
  private var wakings: UInt64 = 0

  static let drainError = RPCError(
    code: .unavailable, message: "This tracker is shutting down; another one serves the race.")

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  init(name: String, log: any TelemetryLog, window limits: EventWindow.Limits, loop: EventLoop) {
    self.name = name
    self.log = log
    self.loop = loop
    window = EventWindow(limits: limits)
  }

  /// The number of the newest event that this replica knows.
  var head: UInt64 {
    fold.head
  }

  // MARK: The log's side

  /// Reads the race's log from its newest session on.
  ///
  /// - Parameter last: The position after which batches come by `receive(_:)`.
  /// - Throws: What keeps the log from being read. Then it may be tried again.
  func load(through last: LogPosition) async throws {
    let known = fold.checkpoint
    if fold.position == 0 { try await beginAtNewestSession() }
    while true {
      let page = try await log.batches(
        ofRace: name, after: fold.position, through: last, limit: Self.pageLimit)
      if page.isEmpty { break }
      do {
        try take(page)
      } catch {
        try await beginAtNewestSession()
      }
    }
    if case .loading(let pending) = phase {
      try take(pending)
    }
    phase = .live
    wakeAll()
    save(since: known)
  }

  private func beginAtNewestSession() async throws {
    guard let checkpoint = try await log.checkpoint(ofRace: name, notAfterEvent: nil) else {
      return
    }
    fold = RaceFold(from: checkpoint)
    window.begin(with: [], head: fold.head)
  }

  /// What is to be done after batches were received.
  enum Reception: Sendable {
    case taken
    /// Batches before them are forgotten: the race is to be loaded through them.
    case mustLoad
  }

  /// Takes batches that came after those that `load(through:)` reads, in their order.
  func receive(_ batches: [LoggedBatch]) -> Reception {
    switch phase {
    case .loading(let pending):
      phase = .loading(pending: pending + batches)
    case .live:
      let known = fold.checkpoint
      do {
        try take(batches)
      } catch {
        phase = .loading(pending: batches)
        return .mustLoad
      }
      wakeAll()
      save(since: known)
    }
    return .taken
  }

  /// Tells subscribers that the log was looked at.
  func beat() {
    wakeAll()
  }

  /// Ends every subscription.
  func drain() {
    isDraining = true
    wakeAll()
  }

  private func take(_ batches: [LoggedBatch]) throws(RaceFold.Gap) {
    // What is pending may have been loaded, too.
    for batch in batches where batch.position > fold.position {
      for event in try fold.apply(batch) {
        window.append(event)
      }
    }
  }

  // Without the checkpoint, the next replica reads more of the log than it need: no harm is done.
  private func save(since known: RaceCheckpoint?) {
    guard let checkpoint = fold.checkpoint, checkpoint != known else { return }
    Task { [log, name] in
      try? await log.save(checkpoint, ofRace: name)
    }
  }

  // MARK: The subscribers' side

  /// Waits until there is something to tell a subscriber.
  ///
  /// - Throws: `CancellationError`, or UNAVAILABLE while draining.
  func next(_ cursor: Cursor) async throws -> Delivery {
    if !isDraining {
      let seen = wakings
      if let delivery = ready(cursor) { return delivery }
      await wait(unlessWokenSince: seen)
    }
    try Task.checkCancellation()
    if isDraining { throw Self.drainError }
    return ready(cursor) ?? .beat(isLive: isLive)
  }

  /// Whether the race's log is read, and what comes is folded as it comes.
  var isLive: Bool {
    if case .live = phase { true } else { false }
  }

  private func ready(_ cursor: Cursor) -> Delivery? {
    guard isLive else { return nil }
    switch cursor {
    case .newest(let backlog):
      return .events(snapshot(backlog: backlog), next: window.head)
    case .after(let number):
      guard number < window.head else { return nil }
      guard let events = window.events(after: number, limit: Self.deliveryLimit),
        let last = events.last
      else { return .inLogOnly }
      return .events(Array(events), next: last.sequence)
    }
  }

  private func snapshot(backlog: Int) -> [RelayedEvent] {
    let start = max(window.first, window.head - min(window.head, UInt64(backlog)) + 1)
    var recent = window.events(after: start - 1) ?? []
    var bytes = recent.reduce(0) { $0 + $1.response.count }
    while bytes > Self.snapshotLimit, let first = recent.popFirst() {
      bytes -= first.response.count
    }
    let oldest = recent.first?.sequence ?? .max
    let older = window.newest.values.filter { $0.sequence < oldest }
    return older.sorted { $0.sequence < $1.sequence } + recent
  }

  private func wait(unlessWokenSince seen: UInt64) async {
    lastWaiter += 1
    let id = lastWaiter
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        if Task.isCancelled || wakings != seen {
          waiter.resume()
        } else {
          waiters[id] = waiter
        }
      }
    } onCancel: {
      Task { await self.wake(id) }
    }
  }

  private func wake(_ id: UInt64) {
    waiters.removeValue(forKey: id)?.resume()
  }

  private func wakeAll() {
    wakings += 1
    let waiters = waiters
    self.waiters.removeAll(keepingCapacity: true)
    for waiter in waiters.values {
      waiter.resume()
    }
  }
}
