/// Something that a race's followers are told.
public struct RaceEvent: Hashable, Sendable {
  /// The event's number in its race: 1, 2, 3, …
  public var number: UInt64
  /// What they are told.
  public var content: Content

  /// Event `number` with its content.
  public init(number: UInt64, content: Content) {
    self.number = number
    self.content = content
  }

  /// What an event tells: always the full state of its type, so that the newest of each is enough.
  public enum Content: Hashable, Sendable {
    /// Where each kart was last seen, by kart number.
    case locations([KartLocation])
    /// The order of the race, the leader first.
    case standings([StandingsEntry])
  }
}

/// Where a kart was last seen.
public struct KartLocation: Hashable, Sendable {
  /// The kart's number.
  public var kartNumber: Int32
  /// Where it was.
  public var coordinate: Coordinate
  /// When it was there.
  public var recordedAt: UTCInstant

  /// Kart `kartNumber` at `coordinate` at `recordedAt`.
  public init(kartNumber: Int32, coordinate: Coordinate, recordedAt: UTCInstant) {
    self.kartNumber = kartNumber
    self.coordinate = coordinate
    self.recordedAt = recordedAt
  }
}

/// A kart's place in the order of the race.
public struct StandingsEntry: Hashable, Sendable {
  /// The kart's number.
  public var kartNumber: Int32
  /// 1 leads.
  public var position: Int32
  /// Laps completed.
  public var lap: Int32
  /// `nil` for the leader, for a lapped kart (its gap is in laps), for one that has no lap yet, and
  /// where the leader's time for the lap is unknown.
  public var gapToLeader: Duration?

  /// Kart `kartNumber` at `position`.
  public init(kartNumber: Int32, position: Int32, lap: Int32, gapToLeader: Duration? = nil) {
    self.kartNumber = kartNumber
    self.position = position
    self.lap = lap
    self.gapToLeader = gapToLeader
  }
}
