import RaceRelay

/// Events of a race that are no longer in memory, folded again from the log, bit by bit.
struct RaceReplay: Sendable {
  private let race: String
  private let log: any TelemetryLog
  private var fold: RaceFold
  private let start: UInt64
  // Read and not folded.
  private var page: ArraySlice<LoggedBatch> = []

  /// - Parameter number: The events after this one are wanted.
  init(race: String, after number: UInt64, log: any TelemetryLog) async throws {
    self.race = race
    self.log = log
    start = number
    fold = try await Self.fold(of: race, before: number, log)
  }

  private static func fold(
    of race: String, before number: UInt64, _ log: any TelemetryLog
  ) async throws -> RaceFold {
    let checkpoint = try await log.checkpoint(ofRace: race, notAfterEvent: number)
    return checkpoint.map(RaceFold.init(from:)) ?? RaceFold()
  }

  /// Folds some more of the log, as much as a loop may be held for.
  ///
  /// - Returns: Its events, of which there may be none; nil at the log's end.
  mutating func next() async throws -> [RelayedEvent]? {
    if page.isEmpty {
      page = try await log.batches(
        ofRace: race, after: fold.position, through: .max, limit: FollowedRace.pageLimit)[...]
    }
    guard !page.isEmpty else { return nil }
    var events: [RelayedEvent] = []
    do {
      events = try fold.takeSome(of: &page)
    } catch {
      // Forgotten while it was read: on to what is left.
      page = []
      fold = try await Self.fold(of: race, before: start, log)
    }
    return events.filter { $0.sequence > start }
  }
}
