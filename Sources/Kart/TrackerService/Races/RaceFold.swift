import KartAPI
import RaceControl
import RaceRelay
import SwiftProtobuf

/// A race's state at a place in its log, and the step to the next.
struct RaceFold: Sendable {
  /// Batches between the one folded last and this one are forgotten.
  struct Gap: Error {}

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
