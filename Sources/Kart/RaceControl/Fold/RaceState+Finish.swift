/// How a session ends.
///
/// ```
///            leader completes the distance, or the finish flag
///   running ──────────────────────────────────────────────────▶ finishing
///      ▲                                                            │
///      └────────────────────────────────────────────────────────────┘
///        another flag, or a correction that takes the distance from the leader
/// ```
/// While finishing, a kart has finished with its first crossing from the leader's on.
extension RaceState {
  /// Whether the session has ended: the leader has completed the distance, or the finish flag is out.
  public var isOver: Bool {
    distanceReachedAt != nil || flag == .finish
  }

  mutating func apply(_ change: Observation.FlagChange) {
    let before = flag
    flag = change.flag
    guard before != flag else { return }
    if flag == .finish {
      flagShownFrom = change.totalTime
      if let from = change.totalTime { finishKarts(crossingFrom: from) }
    } else if before == .finish {
      flagShownFrom = nil
      if distanceReachedAt == nil { resume() }
    }
  }

  /// Finishes the kart if its crossing, the last one it has, is its last.
  mutating func takeFlag(_ index: Int, at totalTime: Duration) {
    if hasDistance, karts[index].laps >= session.laps {
      karts[index].hasFinished = true
      karts[index].distanceReachedAt = totalTime
      if distanceReachedAt.map({ totalTime < $0 }) ?? true {
        distanceReachedAt = totalTime
        // Crossings may be recorded late: those after the leader's were finishes too.
        finishKarts(crossingFrom: totalTime)
      }
      return
    }
    let afterLeader = distanceReachedAt.map { totalTime >= $0 } ?? false
    let afterFlag = flag == .finish && (flagShownFrom.map { totalTime >= $0 } ?? true)
    if afterLeader || afterFlag { karts[index].hasFinished = true }
  }

  /// Looks again at who has completed the distance, after a correction of one kart.
  mutating func reconsiderDistance(of corrected: Int) {
    guard hasDistance else { return }
    let before = distanceReachedAt
    karts[corrected].distanceReachedAt =
      karts[corrected].crossings.firstCrossing(completing: session.laps)?.totalTime
    distanceReachedAt = nil
    for index in karts.indices {
      guard let reached = karts[index].distanceReachedAt else { continue }
      karts[index].hasFinished = true
      distanceReachedAt = min(distanceReachedAt ?? reached, reached)
    }
    if let reached = distanceReachedAt {
      // Who crossed since has finished, as after a crossing that is recorded late.
      if before.map({ reached < $0 }) ?? true { finishKarts(crossingFrom: reached) }
    } else if before != nil, flag != .finish {
      resume()
    }
  }

  /// Whether a number of laps ends the session: a race's.
  private var hasDistance: Bool { session.kind == .race && session.laps > 0 }

  private mutating func finishKarts(crossingFrom totalTime: Duration) {
    for index in karts.indices where karts[index].laps > 0 {
      if let last = karts[index].totalTime, last >= totalTime { karts[index].hasFinished = true }
    }
  }

  private mutating func resume() {
    for index in karts.indices { karts[index].hasFinished = false }
  }
}
