import RaceControl

/// Races that never happened, one after another, for ever: positions ten times a second and
/// crossings of the line.
///
/// Everything follows from the configuration: the same one gives the same batches on every machine.
///
/// ```
///   grid ── countdown ──▶ racing ── all finished ──▶ pausing ──┐
///    ▲                                                         │
///    └─────────────────────── pause over ──────────────────────┘
/// ```
public struct RaceSimulator: Sendable {
  /// What is raced.
  public struct Configuration: Sendable {
    /// Where.
    public var course: Course
    /// The distance in laps, at least 1.
    public var laps: Int32
    /// Who, in the order of their kart numbers, which count from 1.
    public var drivers: [String]
    /// Decides everything that is left to chance.
    public var seed: UInt64
    /// When the first tick is.
    public var start: UTCInstant
    /// From the grid to the green flag.
    public var countdown: Duration
    /// From the last finish to the next session.
    public var pause: Duration

    /// A race of `drivers` over `laps` of `course`.
    public init(
      course: Course, laps: Int32, drivers: [String], seed: UInt64, start: UTCInstant,
      countdown: Duration = .seconds(5), pause: Duration = .seconds(20)
    ) {
      self.course = course
      self.laps = laps
      self.drivers = drivers
      self.seed = seed
      self.start = start
      self.countdown = countdown
      self.pause = pause
    }
  }

  enum Phase: Hashable, Sendable {
    /// Until the green flag at this tick.
    case grid(until: Int)
    /// Since the green flag at this tick.
    case racing(since: Int)
    /// Until the next session at this tick.
    case pausing(until: Int)
  }

  /// From one batch to the next.
  public static let tick = Duration.milliseconds(100)

  let configuration: Configuration
  let profile: SpeedProfile
  var random: SplitMix64
  var karts: [SimulatedKart] = []
  var phase: Phase
  /// Whether somebody has completed the distance.
  var isFlagShown = false
  private var tickNumber = 0

  /// A simulator before its first tick.
  public init(_ configuration: Configuration) {
    self.configuration = configuration
    self.profile = SpeedProfile(course: configuration.course)
    self.random = SplitMix64(seed: configuration.seed)
    self.phase = .pausing(until: 0)
  }

  /// The next tick: what is seen, and when.
  public mutating func next() -> (batch: Batch, at: UTCInstant) {
    let now = instant(of: tickNumber)
    var observations: [Observation] = []
    func observe(_ kind: Observation.Kind) {
      observations.append(Observation(observedAt: now, kind: kind))
    }
    switch phase {
    case .pausing(until: tickNumber):
      lineUp()
      phase = .grid(until: tickNumber + Self.ticks(in: configuration.countdown))
      observe(.sessionStart(.init(kind: .race, laps: configuration.laps)))
      for kart in karts {
        observe(.competitor(.init(kartNumber: kart.number, name: kart.name)))
      }
    case .grid(until: tickNumber):
      phase = .racing(since: tickNumber)
      observe(.flag(.init(flag: .green)))
    case .racing(let green):
      observations += race(until: tickNumber, since: green)
      if karts.allSatisfy(\.hasFinished) {
        phase = .pausing(until: tickNumber + Self.ticks(in: configuration.pause))
      }
    case .pausing: coolDown()
    case .grid: break
    }
    for kart in karts { observe(.location(location(of: kart))) }
    tickNumber += 1
    return (Batch(observations), now)
  }

  /// When a tick is.
  func instant(of tick: Int) -> UTCInstant {
    configuration.start.advanced(by: Self.tick * tick)
  }

  private func location(of kart: SimulatedKart) -> Observation.Location {
    .init(
      kartNumber: kart.number,
      coordinate: configuration.course.point(at: kart.distance, offset: kart.lane))
  }

  /// At least one, so that every phase has a tick of its own.
  private static func ticks(in duration: Duration) -> Int {
    max(Int(duration / tick), 1)
  }
}
