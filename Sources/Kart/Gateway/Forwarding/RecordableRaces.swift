import GRPCCore
import KartAPI
import KartProcess

/// The races that may be recorded: those of the schedule, because nobody could follow another.
///
/// A race is looked up once, until it is deleted. A schedule that does not answer keeps nothing out: what was seen at the
/// track is not lost for that.
actor RecordableRaces<Schedule: ClientTransport> {
  private static var capacity: Int { 10_000 }

  private let schedule: ScheduledRaces<Schedule>
  private let patience: Duration
  private var known: Set<ExactName> = []
  /// Counts the races that were forgotten, so that what the schedule said before is not remembered.
  private var deletions = 0

  /// - Parameters:
  ///   - schedule: The schedule.
  ///   - patience: How long it may take to answer.
  init(_ schedule: ScheduledRaces<Schedule>, patience: Duration = .milliseconds(500)) {
    self.schedule = schedule
    self.patience = patience
  }

  /// Returns where a race may be recorded.
  ///
  /// - Throws: `RPCError` NOT_FOUND that names the race.
  func admit(_ race: String) async throws {
    guard !known.contains(ExactName(race)) else { return }
    let deletions = deletions
    do {
      try await schedule.check(race, within: patience)
    } catch let error as RPCError where error.code == .notFound {
      throw RPCError(
        code: .notFound,
        message:
          "There is no race \(race.quotedName) in the schedule; create it there, then record it."
      )
    } catch {
      return
    }
    guard deletions == self.deletions else { return }
    if known.count >= Self.capacity { known.removeAll() }
    known.insert(ExactName(race))
  }

  /// Looks a race up anew when it is recorded next: it was deleted.
  func forget(_ race: String) {
    known.remove(ExactName(race))
    deletions += 1
  }
}
