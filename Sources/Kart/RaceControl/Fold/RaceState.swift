/// A race as far as its log tells: a fold over its batches that yields the race's events.
///
/// Events are a pure function of the batches, numbers included, so that every replica that folds
/// a race's log has the same. Copying a state is cheap; the copies fold on their own.
///
/// A ``Observation/Kind/sessionStart(_:)`` voids all that was before it. So a fold need not begin
/// with the log: note the last event's number before each batch that ``Batch/startsSession``, and
/// fold from that batch on with ``init(after:)``.
public struct RaceState: Sendable {
  /// The number of the race's last event; 0 before the first.
  public private(set) var lastEventNumber: UInt64
  /// How the session is run. Until a session start says so, it is a race that the flag ends.
  public internal(set) var session = Observation.SessionStart(kind: .race)
  /// The flag that is shown.
  public internal(set) var flag: Flag?
  /// The session's newest locations event.
  public private(set) var newestLocations: RaceEvent?
  /// The newest standings event.
  public private(set) var newestStandings: RaceEvent?

  /// Whether the session has had more karts than ``RaceLimits/karts``. Those that came after so many
  /// are in no event.
  public private(set) var isOverfull = false

  /// Karts in the order they were entered or first seen.
  var karts: [KartRecord] = []
  private var kartIndex = KartIndex()
  /// The session's time from which the finish flag is shown, where known.
  var flagShownFrom: Duration?
  /// The session's time at which the leader completed the distance.
  var distanceReachedAt: Duration?

  /// By kart number.
  private var locations: [KartLocation] = []
  /// Of the same karts.
  private var tracks: [KartTrack] = []
  /// Numbers what was recorded, for ties.
  private var recordings = 0

  /// What a batch has changed so far.
  struct Changes: OptionSet {
    let rawValue: UInt8
    static let locations = Changes(rawValue: 1)
    static let standings = Changes(rawValue: 2)
    /// Standings are told even if they read the same as before.
    static let session = Changes(rawValue: 4)
  }

  /// The state before a race's first batch, or before a batch that starts a session.
  ///
  /// - Parameter number: The number of the last event before that batch.
  public init(after number: UInt64 = 0) {
    self.lastEventNumber = number
  }

  /// Folds the next batch of the log.
  ///
  /// - Returns: The events that it makes: at most one of each type, locations first. Standings are
  ///   told only when they have changed, and whenever a session starts.
  public mutating func apply(_ batch: Batch) -> [RaceEvent] {
    var changes: Changes = []
    for observation in batch.observations {
      apply(observation, &changes)
    }
    var events: [RaceEvent] = []
    if changes.contains(.locations) {
      let event = nextEvent(.locations(locations))
      newestLocations = event
      events.append(event)
    }
    if !changes.isDisjoint(with: [.standings, .session]) {
      let content = RaceEvent.Content.standings(standings)
      if changes.contains(.session) || content != newestStandings?.content {
        let event = nextEvent(content)
        newestStandings = event
        events.append(event)
      }
    }
    return events
  }

  private mutating func nextEvent(_ content: RaceEvent.Content) -> RaceEvent {
    lastEventNumber += 1
    return RaceEvent(number: lastEventNumber, content: content)
  }

  private mutating func apply(_ observation: Observation, _ changes: inout Changes) {
    switch observation.kind {
    case .location(let location):
      if take(location, at: observation.observedAt) { changes.insert(.locations) }
    case .sessionStart(let start):
      self = RaceState(after: lastEventNumber)
      session = start
      changes = .session
    case .sessionClear:
      clearResults()
      changes.insert(.standings)
    case .competitor(let competitor):
      if indexOfKart(competitor.kartNumber) != nil { changes.insert(.standings) }
    case .crossing(let crossing):
      if apply(crossing) { changes.insert(.standings) }
    case .flag(let change):
      // Who has finished shows in later crossings, not in the order.
      apply(change)
    case .correction(let correction):
      if apply(correction) { changes.insert(.standings) }
    case .bestLap(let best):
      if apply(best) { changes.insert(.standings) }
    }
  }

  private mutating func clearResults() {
    karts = []
    kartIndex = KartIndex()
    flag = nil
    flagShownFrom = nil
    distanceReachedAt = nil
  }

  private mutating func take(_ location: Observation.Location, at instant: UTCInstant) -> Bool {
    guard RaceLimits.kartNumbers.contains(location.kartNumber), instant.isInCalendar else {
      return false
    }
    let fix = KartLocation(
      kartNumber: location.kartNumber, coordinate: location.coordinate, recordedAt: instant)
    let index = locations.index(ofFirst: { $0.kartNumber >= fix.kartNumber })
    if index < locations.endIndex, locations[index].kartNumber == fix.kartNumber {
      guard tracks[index].take(fix) else { return false }
      locations[index] = fix
      return true
    }
    var track = KartTrack()
    guard track.take(fix) else { return false }
    guard locations.count < RaceLimits.karts else {
      isOverfull = true
      return false
    }
    locations.insert(fix, at: index)
    tracks.insert(track, at: index)
    return true
  }

  /// Where the kart is in ``karts``, where it is entered if it was not known; nil where it has no
  /// place there.
  mutating func indexOfKart(_ number: Int32) -> Int? {
    if let index = kartIndex[number] { return index }
    guard RaceLimits.kartNumbers.contains(number) else { return nil }
    guard karts.count < RaceLimits.karts else {
      isOverfull = true
      return nil
    }
    karts.append(KartRecord(number: number, recorded: nextRecording()))
    kartIndex.insert(number, at: karts.endIndex - 1)
    return karts.endIndex - 1
  }

  mutating func nextRecording() -> Int {
    recordings += 1
    return recordings
  }
}
