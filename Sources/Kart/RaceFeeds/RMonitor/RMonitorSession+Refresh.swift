import RaceControl

extension RMonitorSession {
  /// Takes in a record while a refresh is under way.
  mutating func refresh(_ refresh: RMonitorRefresh, with record: RMonitorRecord) {
    var refresh = refresh
    if let registration = record.registration, !refresh.registrations.contains(registration) {
      guard refresh.registrations.count < RaceLimits.karts else {
        noteTooMany(registration)
        phase = .refreshing(refresh)
        return
      }
      refresh.registrations.insert(registration)
    }
    switch record {
    case .competitor(let competitor):
      if let first = refresh.entry(of: competitor.registration) {
        if first.number != competitor.number { noteDuplicate(of: first, competitor) }
      } else {
        refresh.entries.append(competitor)
      }
    case .run(let number, _): refresh.run = number
    case .racePosition(let result): refresh.results[result.registration] = result
    case .bestLap(let best): refresh.bests[best.registration] = best
    case .heartbeat:
      refresh.heartbeats += 1
      if agrees(refresh) || refresh.heartbeats == 2 {
        settle(refresh)
        takeLive(record)
        return
      }
    case .crossing, .correction, .lapHistory:
      if agrees(refresh) {
        settle(refresh)
        takeLive(record)
        return
      }
      refresh.crossings.append(record)
    case .clear, .category, .setting, .relayNote: break
    }
    phase = .refreshing(refresh)
  }

  /// Whether the refresh tells all that is known of the run, and takes nothing back.
  private func agrees(_ refresh: RMonitorRefresh) -> Bool {
    guard !isAnotherRun(refresh) else { return true }
    return order.allSatisfy { registration in
      guard let car = cars[registration], car.hasResult else { return true }
      guard let result = refresh.results[registration] else { return false }
      return result.laps >= car.laps && (result.laps > 0 || result.totalTime > .zero)
    }
  }

  private func isAnotherRun(_ refresh: RMonitorRefresh) -> Bool {
    guard let run, let next = refresh.run else { return false }
    return next != run
  }

  /// Brings what is known in line with a refresh.
  mutating func settle(_ refresh: RMonitorRefresh) {
    phase = .live
    let isRestart = !refresh.hasResults && order.contains { cars[$0]?.hasResult ?? false }
    let startsRun = awaitsStart || isAnotherRun(refresh) || isRestart
    run = refresh.run ?? run
    if startsRun {
      awaitRun()
      replaceField(with: refresh.entries)
      begin()
    } else if isSameField(refresh) {
      for entry in refresh.entries where admits(entry.registration) { enter(entry) }
    } else {
      replaceField(with: refresh.entries)
    }
    let others = refresh.results.keys.filter { cars[$0] == nil }.sorted()
    for registration in order + others where admits(registration) {
      if let result = refresh.results[registration] {
        confirm(result)
        // A refresh is no passing state.
        settleDoubt(of: registration, after: 0)
      }
      if let best = refresh.bests[registration] { take(best) }
    }
    for crossing in refresh.crossings { takeLive(crossing) }
  }

  /// Whether everybody who is entered still is, with the same number.
  private func isSameField(_ refresh: RMonitorRefresh) -> Bool {
    order.allSatisfy { registration in
      guard let car = cars[registration], let entry = car.entry, !car.isProvisional else {
        return true
      }
      return refresh.entry(of: registration)?.number == entry.number
    }
  }
}
