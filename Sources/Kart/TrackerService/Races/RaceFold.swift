import KartAPI
import RaceControl
import RaceRelay
import SwiftProtobuf

/// A race's state at a place in its log, and the step to the next.
struct RaceFold: Sendable {
  /// Batches between the one folded last and this one are forgotten.
  struct Gap: Error {}

  // What is read and made in one go, in bytes: a few milliseconds' worth.
  private static let goLimit = 128 << 10
  // What a batch costs besides, however little is in it.
  private static let batchCost = 128

  /// The batch that was folded last.
  private(set) var position: LogPosition
  /// The newest session that started, as a place to begin at.
  private(set) var checkpoint: RaceCheckpoint?
  private var state: RaceState

  /// Begins with the race's first batch.
  init() {
    position = 0
    state = RaceState()
  }

  /// Begins where a session starts.
  init(from checkpoint: RaceCheckpoint) {
    position = checkpoint.position
    self.checkpoint = checkpoint
    state = RaceState(after: checkpoint.events)
  }

  /// The number of the newest event.
  var head: UInt64 {
    state.lastEventNumber
  }

  /// Whether the session has more karts than a race can have.
  var isOverfull: Bool {
    state.isOverfull
  }

  /// Takes the race's next batches, as many as a loop may be held for.
  ///
  /// - Parameter batches: Loses those that are taken, or were before.
  /// - Returns: The events that they make.
  /// - Throws: ``Gap`` before the first of them.
  mutating func takeSome(
    of batches: inout ArraySlice<LoggedBatch>
  ) throws(Gap) -> [RelayedEvent] {
    var events: [RelayedEvent] = []
    var cost = 0
    while cost < Self.goLimit, let batch = batches.first {
      if batch.position > position {
        // What was made until now is not to be lost.
        if position < batch.forgotten, cost > 0 { break }
        let made = try apply(batch)
        cost += Self.batchCost + batch.record.count
        cost += made.reduce(0) { $0 + $1.response.count }
        events += made
      }
      batches.removeFirst()
    }
    return events
  }

  /// Takes the race's next batch.
  ///
  /// - Returns: The events that it makes.
  /// - Throws: ``Gap``.
  mutating func apply(_ logged: LoggedBatch) throws(Gap) -> [RelayedEvent] {
    guard position >= logged.forgotten else { throw Gap() }
    // Only what was checked is in the log. Should it hold anything else, every replica passes over it.
    let batch =
      (try? Swiftkart_Telemetry_V1_RecordRequest(serializedBytes: logged.record))
      .flatMap { try? Batch($0) } ?? Batch()
    if batch.startsSession {
      checkpoint = RaceCheckpoint(position: position, events: head)
    }
    position = logged.position
    return state.apply(batch).compactMap(RelayedEvent.init)
  }
}
