import KartAPI

/// What a follower knows of a race: the newest state of each type, and how fresh it is.
struct FollowedRace: Sendable {
  /// How the follower is connected.
  enum Connection: Hashable, Sendable {
    /// A call is being made, the first one or after one that ended for this reason.
    case connecting(after: String?)
    /// The gateway has taken the call.
    case open
    /// The call broke off, or could not be made.
    case broken(reason: String, retryAt: ContinuousClock.Instant)
  }

  /// What the state on the screen is worth.
  enum Freshness: Hashable, Sendable {
    case connecting
    /// Connected, and nothing has come yet: the race has not begun.
    case waiting
    case live
    /// Connected, but nothing has come for so long.
    case stale(Duration)
    /// Not connected; the next call is made after the wait.
    case reconnecting(reason: String, wait: Duration)
  }

  /// What the schedule says of the race.
  struct Plan: Hashable, Sendable {
    /// When it begins, as people read it.
    var start: String
    var isFinished: Bool
  }

  /// A state that no event has followed for this long is stale, and so is a kart's position.
  static let staleAfter = Duration.seconds(10)

  let name: String
  let wantsStandings: Bool
  private(set) var connection = Connection.connecting(after: nil)
  /// What the schedule says; nil until it has said anything.
  var plan: Plan?
  private(set) var locations: KartLocations?
  private(set) var standings: Standings?
  /// The number of the newest event; 0 before the first.
  private(set) var sequence: UInt64 = 0
  /// How many events did not arrive. Only known where all types are followed.
  private(set) var missed: UInt64 = 0
  private var locationsSequence: UInt64 = 0
  private var standingsSequence: UInt64 = 0
  /// When the newest event arrived; nil before the first.
  private(set) var lastEventAt: ContinuousClock.Instant?

  init(name: String, wantsStandings: Bool) {
    self.name = name
    self.wantsStandings = wantsStandings
  }

  /// The number to resume after: everything up to it has arrived.
  var resumeAfter: UInt64 {
    sequence
  }

  /// Takes an event.
  ///
  /// - Returns: Whether it is news. An event that arrives again is not.
  mutating func apply(_ event: FollowRaceResponse, at now: ContinuousClock.Instant) -> Bool {
    lastEventAt = now
    let isKnown: Bool
    switch event.event {
    case .locations(let locations):
      isKnown = event.sequence <= locationsSequence
      if isKnown { break }
      countMissed(before: event.sequence)
      locationsSequence = event.sequence
      self.locations = locations
    case .standings(let standings):
      isKnown = event.sequence <= standingsSequence
      if isKnown { break }
      countMissed(before: event.sequence)
      standingsSequence = event.sequence
      self.standings = standings
    case nil:
      // A type of event that this build does not know.
      isKnown = event.sequence <= sequence
    }
    sequence = max(sequence, event.sequence)
    return !isKnown
  }

  /// Forgets every event, because the race's numbers begin anew.
  mutating func forget() {
    let (connection, plan) = (connection, plan)
    self = FollowedRace(name: name, wantsStandings: wantsStandings)
    self.connection = connection
    self.plan = plan
  }

  mutating func connect() {
    guard case .broken(let reason, _) = connection else { return }
    connection = .connecting(after: reason)
  }

  mutating func connected() {
    connection = .open
  }

  mutating func disconnected(reason: String, retryAt: ContinuousClock.Instant) {
    connection = .broken(reason: reason, retryAt: retryAt)
  }

  func freshness(at now: ContinuousClock.Instant) -> Freshness {
    switch connection {
    case .connecting(after: nil):
      return .connecting
    case .connecting(let reason?):
      return .reconnecting(reason: reason, wait: .zero)
    case .broken(let reason, let retryAt):
      return .reconnecting(reason: reason, wait: max(.zero, retryAt - now))
    case .open:
      guard let lastEventAt else { return .waiting }
      let silence = now - lastEventAt
      return silence < Self.staleAfter ? .live : .stale(silence)
    }
  }

  // The newest states that a call begins with may leave numbers out; after them, when every type is
  // followed, each number comes.
  private mutating func countMissed(before number: UInt64) {
    guard wantsStandings, locationsSequence > 0, standingsSequence > 0, number > sequence + 1
    else { return }
    missed += number - sequence - 1
  }
}
