/// Something that was seen at the track, the way the telemetry log keeps it.
public struct Observation: Hashable, Sendable {
  /// When it was seen.
  public var observedAt: UTCInstant
  /// What was seen.
  public var kind: Kind

  /// An observation of `kind`, seen at `observedAt`.
  public init(observedAt: UTCInstant, kind: Kind) {
    self.observedAt = observedAt
    self.kind = kind
  }

  /// What can be seen at a track.
  public enum Kind: Hashable, Sendable {
    /// A session begins: nothing of the one before counts any longer.
    case sessionStart(SessionStart)
    /// A kart is on the entry list.
    case competitor(Competitor)
    /// A kart was located.
    case location(Location)
    /// A kart completed a lap at the line.
    case crossing(LapCrossing)
    /// Another flag is shown.
    case flag(FlagChange)
    /// Race control corrected what was recorded.
    case correction(Correction)
    /// The timing system cleared the session: results and entry list are void.
    case sessionClear
    /// The timing system reported a best lap.
    case bestLap(BestLap)
  }
}

/// What decides the order of a session.
public enum SessionKind: Hashable, Sendable {
  /// By laps, then by total time.
  case race
  /// By best lap.
  case practice
  /// By best lap.
  case qualifying
}

/// A flag that race control shows to the whole field.
public enum Flag: Hashable, Sendable {
  case green, yellow, red, finish
}

extension Observation {
  /// How a session is run. Its kind is configured by the organiser, never guessed from the timing.
  public struct SessionStart: Hashable, Sendable {
    /// What decides the order.
    public var kind: SessionKind
    /// The distance in laps; 0 where only the finish flag ends the session.
    public var laps: Int32

    /// A session of `kind` over `laps`.
    public init(kind: SessionKind, laps: Int32 = 0) {
      self.kind = kind
      self.laps = laps
    }
  }

  /// A kart on the entry list.
  public struct Competitor: Hashable, Sendable {
    /// The kart's number.
    public var kartNumber: Int32
    /// The driver or team.
    public var name: String
    /// What the timing system calls this competitor, where it has a name of its own; else empty.
    public var registration: String

    /// The entry of kart `kartNumber`.
    public init(kartNumber: Int32, name: String, registration: String = "") {
      self.kartNumber = kartNumber
      self.name = name
      self.registration = registration
    }
  }

  /// Where a kart was.
  public struct Location: Hashable, Sendable {
    /// The kart's number.
    public var kartNumber: Int32
    /// Where it was seen.
    public var coordinate: Coordinate

    /// Kart `kartNumber` at `coordinate`.
    public init(kartNumber: Int32, coordinate: Coordinate) {
      self.kartNumber = kartNumber
      self.coordinate = coordinate
    }
  }

  /// A kart at the line.
  public struct LapCrossing: Hashable, Sendable {
    /// The kart's number.
    public var kartNumber: Int32
    /// Laps completed with this crossing; 0 is the start of lap 1.
    public var lap: Int32
    /// The session's time at the crossing.
    public var totalTime: Duration

    /// Kart `kartNumber` completing `lap` at `totalTime`.
    public init(kartNumber: Int32, lap: Int32, totalTime: Duration) {
      self.kartNumber = kartNumber
      self.lap = lap
      self.totalTime = totalTime
    }
  }

  /// Another flag.
  public struct FlagChange: Hashable, Sendable {
    /// The flag that is shown from now on; `nil` for none.
    public var flag: Flag?
    /// The session's time from which it is shown, where known; else it counts from the next
    /// observation on.
    public var totalTime: Duration?

    /// `flag` is shown from `totalTime` on.
    public init(flag: Flag?, totalTime: Duration? = nil) {
      self.flag = flag
      self.totalTime = totalTime
    }
  }

  /// What a kart's result is from now on, laps taken away or added, time corrected.
  public struct Correction: Hashable, Sendable {
    /// The kart's number.
    public var kartNumber: Int32
    /// Its laps.
    public var laps: Int32
    /// Its session time at the end of those laps.
    public var totalTime: Duration

    /// Kart `kartNumber` has `laps` in `totalTime`.
    public init(kartNumber: Int32, laps: Int32, totalTime: Duration) {
      self.kartNumber = kartNumber
      self.laps = laps
      self.totalTime = totalTime
    }
  }

  /// A best lap as the timing system reports it, for practice and qualifying.
  public struct BestLap: Hashable, Sendable {
    /// The kart's number.
    public var kartNumber: Int32
    /// Which lap it was.
    public var lap: Int32
    /// How long it took.
    public var lapTime: Duration

    /// Kart `kartNumber` took `lapTime` for `lap`.
    public init(kartNumber: Int32, lap: Int32, lapTime: Duration) {
      self.kartNumber = kartNumber
      self.lap = lap
      self.lapTime = lapTime
    }
  }
}
