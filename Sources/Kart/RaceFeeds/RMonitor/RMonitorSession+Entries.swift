import RaceControl

extension RMonitorSession {
  /// Puts a competitor on the entry list, or changes its entry.
  mutating func enter(_ competitor: RMonitorRecord.Competitor) {
    let registration = competitor.registration
    guard let known = car(registration).entry else {
      assign(competitor)
      if awaitsStart {
        begin()
      } else {
        observeEntry(of: registration)
        observeResult(of: registration)
      }
      return
    }
    let isAnother =
      !known.transponder.isEmpty && !competitor.transponder.isEmpty
      && known.transponder != competitor.transponder
    if known.number != competitor.number {
      guard !isAnother else {
        noteDuplicate(of: known, competitor)
        return
      }
      cars[registration]?.entry = competitor
      rebuild(order.compactMap { cars[$0]?.entry })
    } else if known.name != competitor.name, !competitor.name.isEmpty {
      cars[registration]?.entry?.name = competitor.name
      if !awaitsStart { observeEntry(of: registration) }
    }
  }

  mutating func noteDuplicate(
    of first: RMonitorRecord.Competitor, _ second: RMonitorRecord.Competitor
  ) {
    note(
      .duplicateRegistration,
      "registration \(first.registration) is that of kart \(first.number) and of kart "
        + "\(second.number): give each its own")
  }

  /// The competitor's car, new if it was not known.
  mutating func car(_ registration: String) -> RMonitorCar {
    if let car = cars[registration] { return car }
    let car = RMonitorCar()
    cars[registration] = car
    order.append(registration)
    return car
  }

  /// Enters a competitor without telling.
  mutating func assign(_ competitor: RMonitorRecord.Competitor) {
    var car = car(competitor.registration)
    let (kartNumber, isDuplicate) = numbering.assign(
      competitor.number, to: competitor.registration)
    if isDuplicate {
      note(
        .duplicateNumber,
        "kart \(competitor.number) is entered twice: registration \(competitor.registration) "
          + "gets the number \(kartNumber)")
    }
    car.entry = competitor
    car.kartNumber = kartNumber
    cars[competitor.registration] = car
  }

  /// Voids the session's results and entries, and tells them again as they are now.
  mutating func rebuild(_ entries: [RMonitorRecord.Competitor]) {
    let before = cars
    cars = [:]
    order = []
    numbering = KartNumbering()
    for entry in entries {
      cars[entry.registration] = before[entry.registration]
      order.append(entry.registration)
      assign(entry)
    }
    guard !awaitsStart else { return }
    observe(.sessionClear)
    for registration in order { observeEntry(of: registration) }
    for registration in order { observeResult(of: registration) }
    // After the results, so that only those that took the flag have finished.
    if let flag { observe(.flag(.init(flag: flag, totalTime: flagShownFrom))) }
  }

  /// Tells an entry, if there is one.
  mutating func observeEntry(of registration: String) {
    guard let car = cars[registration], let entry = car.entry else { return }
    observe(
      .competitor(
        .init(kartNumber: car.kartNumber, name: entry.name, registration: registration)))
  }

  private mutating func observeResult(of registration: String) {
    guard let car = cars[registration] else { return }
    if let totalTime = car.totalTime {
      observe(
        .crossing(.init(kartNumber: car.kartNumber, lap: car.laps, totalTime: totalTime)))
    }
    if let best = car.bestLap {
      observe(
        .bestLap(.init(kartNumber: car.kartNumber, lap: best.lap, lapTime: best.lapTime)))
    }
  }
}
