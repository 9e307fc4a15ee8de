import RaceControl

extension RMonitorSession {
  /// Puts a competitor on the entry list, or changes its entry.
  mutating func enter(_ competitor: RMonitorRecord.Competitor) {
    let car = car(competitor.registration)
    guard let known = car.entry else {
      admit(competitor, isProvisional: false)
      return
    }
    guard known.number == competitor.number else {
      if !known.transponder.isEmpty, !competitor.transponder.isEmpty,
        known.transponder != competitor.transponder
      {
        noteDuplicate(of: known, competitor)
      } else {
        cars[competitor.registration]?.entry = competitor
        cars[competitor.registration]?.isProvisional = false
        rebuild()
      }
      return
    }
    cars[competitor.registration]?.isProvisional = false
    if !competitor.transponder.isEmpty {
      cars[competitor.registration]?.entry?.transponder = competitor.transponder
    }
    if known.name != competitor.name, !competitor.name.isEmpty {
      cars[competitor.registration]?.entry?.name = competitor.name
      if !awaitsStart { observeEntry(of: competitor.registration) }
    }
  }

  /// Enters a competitor that has results but that the feed has not entered, under its registration:
  /// better so than not at all.
  mutating func enterUnknown(_ registration: String) {
    guard let car = cars[registration], car.entry == nil, car.hasResult else { return }
    let isExpected = !cars.values.contains { $0.entry != nil && !$0.isProvisional }
    admit(
      .init(registration: registration, number: registration, transponder: "", name: ""),
      isProvisional: true)
    // A feed that was joined late has not told its entries yet.
    guard !isExpected else { return }
    note(
      .unknownRegistration,
      "registration \(registration) is not entered and is shown as kart "
        + "\(cars[registration]?.kartNumber ?? 0)")
  }

  /// Whether the competitor is known, or there is room for one more.
  mutating func admits(_ registration: String) -> Bool {
    if cars[registration] != nil || cars.count < RaceLimits.karts { return true }
    noteTooMany(registration)
    return false
  }

  mutating func noteTooMany(_ registration: String) {
    note(
      .tooManyCompetitors,
      "registration \(registration) is left out: a race has at most \(RaceLimits.karts) competitors"
    )
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

  /// Makes a session's field of a refresh's entries. Results stay.
  mutating func replaceField(with entries: [RMonitorRecord.Competitor]) {
    let before = cars
    cars = [:]
    order = []
    for entry in entries {
      var car = before[entry.registration] ?? RMonitorCar()
      car.entry = entry
      car.isProvisional = false
      cars[entry.registration] = car
      order.append(entry.registration)
    }
    rebuild()
  }

  /// Tells an entry, if there is one.
  mutating func observeEntry(of registration: String) {
    guard let car = cars[registration], let entry = car.entry else { return }
    observe(
      .competitor(
        .init(kartNumber: car.kartNumber, name: entry.name, registration: registration)))
  }

  private mutating func admit(_ competitor: RMonitorRecord.Competitor, isProvisional: Bool) {
    var car = car(competitor.registration)
    car.entry = competitor
    car.isProvisional = isProvisional
    cars[competitor.registration] = car
    if numbering.isHeld(competitor.number), cars.values.contains(where: \.isProvisional) {
      // What was made up gives way.
      rebuild()
      begin()
      return
    }
    assignNumber(to: competitor.registration)
    if awaitsStart {
      begin()
    } else {
      observeEntry(of: competitor.registration)
      observeResult(of: competitor.registration)
    }
  }

  private mutating func assignNumber(to registration: String) {
    guard let entry = cars[registration]?.entry else { return }
    let (kartNumber, isDuplicate) = numbering.assign(entry.number, to: registration)
    cars[registration]?.kartNumber = kartNumber
    guard isDuplicate else { return }
    note(
      .duplicateNumber,
      "kart \(entry.number) is entered twice: registration \(registration) gets the number "
        + "\(kartNumber)")
  }

  /// Numbers the field anew. What was told of the session is void then, and is told again.
  private mutating func rebuild() {
    numbering = KartNumbering()
    for isProvisional in [false, true] {
      for registration in order where cars[registration]?.isProvisional == isProvisional {
        assignNumber(to: registration)
      }
    }
    guard !awaitsStart else { return }
    observeClear()
    for registration in order { observeEntry(of: registration) }
    for registration in order { observeResult(of: registration) }
    // After the results, so that only those that took the flag have finished.
    if let flag { observe(.flag(.init(flag: flag, totalTime: flagShownFrom))) }
  }

  private mutating func observeResult(of registration: String) {
    guard let car = cars[registration], car.entry != nil else { return }
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
