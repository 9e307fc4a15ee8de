import RaceControl

extension Batch {
  /// What was seen, `second` seconds into the epoch.
  static func at(_ second: Double, _ kinds: Observation.Kind...) -> Batch {
    let instant = UTCInstant(sinceEpoch: .seconds(second))
    return Batch(kinds.map { Observation(observedAt: instant, kind: $0) })
  }

  static func of(_ kinds: Observation.Kind...) -> Batch {
    Batch(kinds.map { Observation(observedAt: UTCInstant(seconds: 0), kind: $0) })
  }
}

extension Observation.Kind {
  static func start(_ kind: SessionKind = .race, laps: Int32 = 0) -> Self {
    .sessionStart(.init(kind: kind, laps: laps))
  }

  static func enter(_ kart: Int32) -> Self {
    .competitor(.init(kartNumber: kart, name: "Driver \(kart)"))
  }

  static func cross(_ kart: Int32, lap: Int32, _ seconds: Double) -> Self {
    .crossing(.init(kartNumber: kart, lap: lap, totalTime: .toTheMillisecond(seconds)))
  }

  static func correct(_ kart: Int32, laps: Int32, _ seconds: Double) -> Self {
    .correction(.init(kartNumber: kart, laps: laps, totalTime: .toTheMillisecond(seconds)))
  }

  static func best(_ kart: Int32, lap: Int32, _ seconds: Double) -> Self {
    .bestLap(.init(kartNumber: kart, lap: lap, lapTime: .toTheMillisecond(seconds)))
  }

  static func show(_ flag: Flag?, from seconds: Double? = nil) -> Self {
    .flag(.init(flag: flag, totalTime: seconds.map { .toTheMillisecond($0) }))
  }

  static func locate(_ kart: Int32, _ latitude: Double, _ longitude: Double) -> Self {
    .location(
      .init(kartNumber: kart, coordinate: .init(latitude: latitude, longitude: longitude)))
  }
}

extension Duration {
  /// Seconds, exact to the millisecond as timing systems count.
  static func toTheMillisecond(_ seconds: Double) -> Duration {
    .milliseconds(Int64((seconds * 1000).rounded()))
  }
}

extension StandingsEntry {
  /// A row of a table of expectations.
  init(_ position: Int32, kart: Int32, lap: Int32, gap: Double? = nil) {
    self.init(
      kartNumber: kart, position: position, lap: lap, gapToLeader: gap.map { .toTheMillisecond($0) }
    )
  }
}
