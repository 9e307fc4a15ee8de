import KartAPI

/// The newest events of a race, without a gap between them, and the newest one of each type however long
/// ago it was. It holds so many events and bytes at most, and lets the oldest go first.
package struct EventWindow: Sendable {
  /// How much a window holds.
  package struct Limits: Sendable {
    package var events: Int
    package var bytes: Int

    package init(events: Int, bytes: Int) {
      self.events = events
      self.bytes = bytes
    }
  }

  /// The number of the newest event; 0 before the first.
  package private(set) var head: UInt64 = 0
  /// The newest event of each type.
  package private(set) var newest: [RaceEventType: RelayedEvent] = [:]

  private let limits: Limits
  // The events are those from `start` on. What is before it has gone, and is emptied.
  private var events: [RelayedEvent] = []
  private var start = 0
  private var bytes = 0

  package init(limits: Limits) {
    self.limits = limits
  }

  /// The number of the oldest event that is held; the one after `head` where none is.
  package var first: UInt64 {
    head &+ 1 &- UInt64(events.count - start)
  }

  /// Begins at an event of which what came before is not known.
  ///
  /// - Parameters:
  ///   - snapshot: The newest event of each type there has been.
  ///   - head: The number of the newest event.
  package mutating func begin(with snapshot: [RelayedEvent], head: UInt64) {
    self = EventWindow(limits: limits)
    self.head = head
    for event in snapshot {
      newest[event.type] = event
    }
  }

  /// Begins with what a subscription is told first: events of which the newest ones follow each other
  /// without a gap, and which hold the newest event of each type.
  package mutating func begin(with events: [RelayedEvent]) {
    var start = events.count
    while start > 0,
      start == events.count || events[start - 1].sequence &+ 1 == events[start].sequence
    {
      start -= 1
    }
    let recent = events[start...]
    begin(with: Array(events[..<start]), head: recent.first.map { $0.sequence &- 1 } ?? 0)
    for event in recent { append(event) }
  }

  /// Adds the event after `head`.
  ///
  /// - Returns: Whether it was that one. An event that is known already, or that comes after a gap,
  ///   changes nothing.
  @discardableResult
  package mutating func append(_ event: RelayedEvent) -> Bool {
    guard event.sequence == head &+ 1 else { return false }
    head = event.sequence
    newest[event.type] = event
    events.append(event)
    bytes += event.response.count
    while events.count - start > limits.events || bytes > limits.bytes {
      bytes -= events[start].response.count
      events[start] = RelayedEvent()
      start += 1
    }
    // Moving the rest down costs no more than the appends that made this many go.
    if start > events.count / 2 {
      events.removeFirst(start)
      start = 0
    }
    return true
  }

  /// Whether every event after a number is held.
  package func reachesBack(to number: UInt64) -> Bool {
    number >= first &- 1
  }

  /// The events after a number, oldest first; nil where the window does not reach back so far.
  ///
  /// - Parameter limit: How many bytes at most, though at least one event if there is any.
  package func events(after number: UInt64, limit: Int = .max) -> ArraySlice<RelayedEvent>? {
    guard number < head else { return [] }
    guard reachesBack(to: number) else { return nil }
    let from = start + Int(number &+ 1 &- first)
    guard limit < bytes else { return events[from...] }
    var end = from
    var size = 0
    while end < events.count, size < limit {
      size += events[end].response.count
      end += 1
    }
    return events[from..<end]
  }
}
