import RaceControl

extension RMonitorSession {
  mutating func take(run number: String) {
    defer { run = number }
    guard let run, run != number else { return }
    awaitRun()
  }

  /// Another run is up: it begins with its first sign of life.
  mutating func awaitRun() {
    for registration in order { cars[registration]?.clearResults() }
    awaitsStart = true
    // The finish flag may still be out, but is no sign of life.
    if flag != .finish { flag = nil }
  }

  /// Starts the run if this is its first sign of life.
  mutating func begin() {
    guard awaitsStart else { return }
    awaitsStart = false
    flag = nil
    flagShownFrom = nil
    observeStart()
    for registration in order { observeEntry(of: registration) }
  }

  mutating func take(_ heartbeat: RMonitorRecord.Heartbeat) {
    for registration in order {
      settleDoubt(of: registration, after: 1)
      enterUnknown(registration)
    }
    defer {
      for registration in order { cars[registration]?.crossedSinceHeartbeat = false }
    }
    let shown: Flag
    switch heartbeat.flag {
    case "": return
    case "green": shown = .green
    case "yellow": shown = .yellow
    case "red": shown = .red
    case "finish": shown = .finish
    default:
      note(
        .unknownFlag, "$F has the flag \(RMonitorText.excerpt(heartbeat.flag.utf8)), which is none")
      return
    }
    guard shown != flag else { return }
    begin()
    flag = shown
    flagShownFrom = shown == .finish ? leadersFinish : nil
    observe(.flag(.init(flag: shown, totalTime: flagShownFrom)))
  }

  /// When the leader took the flag, if it has: a heartbeat that shows the flag comes up to a second
  /// after the crossing that the flag was shown for.
  private var leadersFinish: Duration? {
    guard session.kind == .race else { return nil }
    let leader = order.compactMap { cars[$0] }.filter { $0.laps > 0 }.min { a, b in
      a.laps != b.laps ? a.laps > b.laps : (a.totalTime ?? .zero) < (b.totalTime ?? .zero)
    }
    guard let leader, leader.crossedSinceHeartbeat else { return nil }
    // Where the distance is known, it is there that the leader takes the flag: one that is shown
    // before waits for that crossing.
    guard session.laps == 0 || leader.laps >= session.laps else { return nil }
    return leader.totalTime
  }
}
