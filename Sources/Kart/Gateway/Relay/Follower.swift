import GRPCCore
import KartAPI
import RaceRelay

/// What a relay knows of one who follows its race.
struct Follower {
  /// From where a follower wants events.
  enum Cursor: Equatable {
    /// The newest event of each type first.
    case newest
    case after(UInt64)
  }

  /// What a follower is told.
  enum Delivery: Equatable {
    case events([RelayedEvent])
    /// The events after this number are no longer held: they are to be had from a tracker.
    case catchUp(after: UInt64)
    /// The call has ended.
    case end
  }

  /// How many events a slow follower may be behind before it is told the newest state instead.
  static let slowLag: UInt64 = 8
  /// How many bytes one delivery holds at most, though at least one event.
  static let deliveryLimit = 64 << 10

  private(set) var types: Set<RaceEventType>
  var cursor: Cursor
  /// Whether it goes on where it was, and so is told everything however slow it is.
  private let resumes: Bool
  var end: Result<Void, RPCError>?
  /// Whether it is waited for the event that it resumes after, which a tracker may be a little behind.
  var mayBeAhead: Bool
  /// The types whose newest event is due, whether or not it was sent before.
  private var added: Set<RaceEventType> = []

  init(types: Set<RaceEventType>, resumeAfter number: UInt64) {
    self.types = types
    resumes = number > 0
    mayBeAhead = resumes
    cursor = resumes ? .after(number) : .newest
  }

  mutating func setTypes(_ types: Set<RaceEventType>) {
    added = added.union(types.subtracting(self.types)).intersection(types)
    self.types = types
  }

  func wants(_ event: RelayedEvent) -> Bool { types.contains(event.type) }

  /// Those of some events to catch up with that the follower wants. A type that was added has begun with them.
  mutating func catchUp(with events: [RelayedEvent]) -> [RelayedEvent] {
    let wanted = events.filter(wants)
    if !added.isEmpty { added.subtract(wanted.map(\.type)) }
    return wanted
  }

  /// Why the call can't go on in a race whose newest event is before the one that the follower had last; nil
  /// where it can.
  func problem(at head: UInt64) -> RPCError? {
    guard !mayBeAhead, case .after(let number) = cursor, number > head else { return nil }
    return RPCError(
      code: .outOfRange,
      message: "Your last event is \(number), and the newest event of the race is \(head); "
        + "follow it anew without resume_after.")
  }

  /// Takes what is new to the follower; nil where nothing is.
  mutating func take(from window: EventWindow, isSlow: Bool) -> Delivery? {
    switch cursor {
    case .newest:
      added = []
      cursor = .after(window.head)
      let snapshot = newest(in: window) { _ in true }
      return snapshot.isEmpty ? nil : .events(snapshot)
    case .after(let number):
      if !added.isEmpty {
        let wanted = added
        added = []
        // One that is yet to come comes in its turn.
        let due = newest(in: window) { wanted.contains($0.type) && $0.sequence <= number }
        if !due.isEmpty { return .events(due) }
      }
      return take(after: number, from: window, isSlow: isSlow)
    }
  }

  private mutating func take(
    after number: UInt64, from window: EventWindow, isSlow: Bool
  ) -> Delivery? {
    if isSlow, !resumes, window.head > number, window.head - number > Self.slowLag {
      cursor = .after(window.head)
      let snapshot = newest(in: window) { $0.sequence > number }
      return snapshot.isEmpty ? nil : .events(snapshot)
    }
    var number = number
    while number < window.head {
      guard let events = window.events(after: number, limit: Self.deliveryLimit),
        let last = events.last
      else { return .catchUp(after: number) }
      number = last.sequence
      cursor = .after(number)
      let wanted = events.filter(wants)
      if !wanted.isEmpty { return .events(wanted) }
    }
    return nil
  }

  private func newest(
    in window: EventWindow, where isDue: (RelayedEvent) -> Bool
  ) -> [RelayedEvent] {
    window.newest.values.filter { wants($0) && isDue($0) }.sorted { $0.sequence < $1.sequence }
  }
}
