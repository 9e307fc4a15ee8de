import KartProcess

/// A followed race in the terminal, drawn again as it changes.
actor FollowView {
  /// How often it is drawn at most.
  private static let drawingInterval = Duration.milliseconds(100)
  /// How often it is drawn at least, since ages grow.
  private static let restingInterval = Duration.seconds(1)

  private static let widestMap = 80

  private var race: FollowedRace
  private var trace = CourseTrace()
  private var screen = TerminalScreen()
  private var isChanged = true
  private var lastDrawn: ContinuousClock.Instant?

  init(_ race: FollowedRace) {
    self.race = race
  }

  func take(_ update: FollowUpdate) {
    let now = ContinuousClock.now
    switch update {
    case .connecting: race.connect()
    case .connected: race.connected()
    case .event(let event):
      _ = race.apply(event, at: now)
      trace.add(event.locations)
    case .disconnected(let error, let wait):
      if error.code == .outOfRange { race.forget() }
      race.disconnected(reason: "\(error)", retryAt: now + wait)
    }
    isChanged = true
  }

  /// Takes note of what the schedule says.
  func take(_ plan: FollowedRace.Plan) {
    guard plan != race.plan else { return }
    race.plan = plan
    isChanged = true
  }

  /// Shows the race for as long as `body` runs.
  nonisolated func show(_ body: @escaping @Sendable () async throws -> Void) async throws {
    try StandardOutput.write(TerminalScreen.opening)
    defer { try? StandardOutput.write(TerminalScreen.closing) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask(operation: body)
      group.addTask {
        while true {
          try await self.draw()
          try await ContinuousClock().sleep(for: Self.drawingInterval)
        }
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  private func draw() throws {
    let now = ContinuousClock.now
    guard isChanged || lastDrawn.map({ now - $0 >= Self.restingInterval }) ?? true else { return }
    isChanged = false
    lastDrawn = now
    let size = TerminalScreen.size
    // The cursor rests on the line below the last.
    let height = size.rows - 1
    let table = FollowTable(race, at: now)
    var lines = table.lines(width: size.columns, height: height)
    let map = trace.lines(
      table.karts, width: min(size.columns, Self.widestMap), height: height - lines.count - 1)
    if !map.isEmpty { lines += ([""] + map).map { FollowTable.Line(text: $0) } }
    try StandardOutput.write(screen.frame(lines))
  }
}
