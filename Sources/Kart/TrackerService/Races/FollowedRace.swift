import EventLoop
import GRPCCore
import KartAPI
import KartProcess
import RaceControl
import RaceRelay

/// A race that someone follows, folded as its log grows.
///
/// ```
///             load(through:)          receive(_:) of more than a loop may be held for
///   loading ─────────────────▶ live ─────────────────────────▶ behind
///      ▲                       │ ▲                              │ │
///      │ batches are forgotten │ └────── load(through:) ────────┘ │
///      └───────────────────────┴──────────────────────────────────┘
/// ```
/// While loading and while behind, what is received is read from the log after what came before it.
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
    case loading
    case live
    case behind
  }

  // What one delivery holds at most: well below the 4 MiB that a message may have.
  static let deliveryLimit = 32 << 10
  // What a snapshot and its backlog hold at most.
  static let snapshotLimit = 2 << 20
  // What is read of the log in one go.
  static let pageLimit = 128 << 10

  nonisolated let name: String
  private let loop: EventLoop
  private let log: any TelemetryLog
  private let logger: Log?
  private var phase = Phase.loading
  // Up to where a load reads.
  private var end: LogPosition = 0
  private var fold = RaceFold()
  private var window: EventWindow
  private var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
  private var lastWaiter: UInt64 = 0
  private var isDraining = false
  private var hasToldOverfull = false
  // Counts the wakings. Between the look for news and the wait, an actor on a loop of its own may run
  // something else, so that who would wait for what has just come looks again.
  private var wakings: UInt64 = 0

  static let drainError = RPCError(
    code: .unavailable, message: "This tracker is shutting down; another one serves the race.")

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  init(
    name: String, log: any TelemetryLog, window limits: EventWindow.Limits, loop: EventLoop,
    logger: Log? = nil
  ) {
    self.name = name
    self.log = log
    self.logger = logger
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
    end = max(end, last)
    if fold.position == 0 { try await beginAtNewestSession() }
    while try await loadPage() {}
    wakeAll()
    save(since: known)
  }

  /// - Returns: Whether there may be more.
  private func loadPage() async throws -> Bool {
    let end = end
    let page = try await log.batches(
      ofRace: name, after: fold.position, through: end, limit: Self.pageLimit)
    var rest = page[...]
    while !rest.isEmpty {
      do {
        try takeSome(of: &rest)
      } catch {
        try await beginAtNewestSession()
        break
      }
      if isLive { wakeAll() }
      if !rest.isEmpty { await nextTick() }
    }
    guard page.isEmpty, end == self.end else { return true }
    // Here and not after the return, before which the actor may take a batch that it leaves to this load.
    phase = .live
    return false
  }

  /// Lets the loop look after others.
  nonisolated func nextTick() async {
    await withCheckedContinuation { waiter in
      // Not by `Task.yield()`: a tick of the loop has many rounds of jobs.
      _ = loop.schedule(after: .zero) { waiter.resume() }
    }
  }

  private func beginAtNewestSession() async throws {
    guard let checkpoint = try await log.checkpoint(ofRace: name, notAfterEvent: nil) else {
      return
    }
    phase = .loading
    fold = RaceFold(from: checkpoint)
    window.begin(with: [], head: fold.head)
  }

  /// What is to be done after batches were received.
  enum Reception: Sendable {
    case taken
    /// The race is to be loaded through them.
    case mustLoad
  }

  /// Takes batches that came after those that `load(through:)` reads, in their order.
  func receive(_ batches: [LoggedBatch]) -> Reception {
    guard case .live = phase else {
      // The load that is under way reads them, too.
      end = max(end, batches.last?.position ?? 0)
      return .taken
    }
    let known = fold.checkpoint
    var rest = batches[...]
    do {
      try takeSome(of: &rest)
    } catch {
      phase = .loading
      return .mustLoad
    }
    wakeAll()
    save(since: known)
    guard rest.isEmpty else {
      phase = .behind
      return .mustLoad
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

  private func takeSome(of batches: inout ArraySlice<LoggedBatch>) throws(RaceFold.Gap) {
    for event in try fold.takeSome(of: &batches) {
      window.append(event)
    }
    guard fold.isOverfull, !hasToldOverfull else { return }
    hasToldOverfull = true
    logger?.warning(
      "karts passed over", ["race": .text(name), "limit": LogValue(RaceLimits.karts)])
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
    try checkServes()
    return ready(cursor) ?? .beat(isLive: isLive)
  }

  /// - Throws: UNAVAILABLE while draining.
  func checkServes() throws(RPCError) {
    if isDraining { throw Self.drainError }
  }

  /// Whether the race's log is read. What comes is folded as it comes, or as soon as can be.
  var isLive: Bool {
    if case .loading = phase { false } else { true }
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
