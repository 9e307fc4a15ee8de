import Synchronization

/// The serialized answers to ListRaces, by limit, until the schedule changes. The schedule's actor
/// fills and empties it; a call reads it on its own thread, without a wait for the database.
final class UpcomingRacesCache: Sendable {
  // Clients use a few limits; one that tries them all must not fill the memory.
  private static let capacity = 16
  private static let maximumBytes = 16 << 20

  private let answers = Mutex<[Int32: [UInt8]]>([:])

  subscript(limit: Int32) -> [UInt8]? {
    answers.withLock { $0[limit] }
  }

  func insert(_ answer: [UInt8], limit: Int32) {
    answers.withLock { answers in
      let bytes = answers.values.reduce(answer.count) { $0 + $1.count }
      if answers.count >= Self.capacity || bytes > Self.maximumBytes {
        answers.removeAll(keepingCapacity: true)
      }
      answers[limit] = answer
    }
  }

  func removeAll() {
    answers.withLock { $0.removeAll(keepingCapacity: true) }
  }
}
