import GRPCCore
import KartAPI
import RaceRelay

/// Appends the batches of one Record call: while some are on their way to the disk, those that come
/// meanwhile are gathered, and go together.
struct TelemetryAppender: Sendable {
  private static let capacity = 1 << 20

  private let log: any TelemetryLog
  private let queue = BoundedQueue<TelemetryBatch>(capacity: capacity)

  init(log: any TelemetryLog) {
    self.log = log
  }

  /// Takes a batch, and waits while there is too much to append.
  func add(_ batch: TelemetryBatch) async throws {
    try await queue.push(batch, bytes: batch.record.count)
  }

  /// Says that no further batch comes.
  func finish() async {
    await queue.finish()
  }

  /// Says that the call has failed. What is on its way to the disk may get there.
  func fail(_ error: any Error) async {
    await queue.fail(error)
  }

  /// Appends what is added, until it is finished.
  ///
  /// - Returns: Up to which number the producer's batches are on disk; 0 where none was added.
  /// - Throws: FAILED_PRECONDITION for a gap, INVALID_ARGUMENT for a second producer or race, or what the
  ///   log or the call failed with.
  func run() async throws -> UInt64 {
    var durable: UInt64 = 0
    var first: TelemetryBatch?
    do {
      while let batches = try await queue.take() {
        let known = first ?? batches.first
        first = known
        if let known, let other = batches.first(where: { !$0.belongs(with: known) }) {
          throw RPCError.invalidArgument(
            "a call takes one producer's batches of one race; "
              + "\"\(other.producer)\" of \"\(other.race)\" needs a call of its own")
        }
        durable = try await append(batches)
      }
    } catch {
      await queue.fail(error)
      throw error
    }
    return durable
  }

  private func append(_ batches: [TelemetryBatch]) async throws -> UInt64 {
    var durable: UInt64 = 0
    for (batch, outcome) in zip(batches, try await log.append(batches)) {
      switch outcome {
      case .durable(let number):
        durable = number
      case .gap(let expected):
        throw RPCError(
          code: .failedPrecondition,
          message: "Batch \(batch.number) of producer \"\(batch.producer)\" came where number "
            + "\(expected) is expected: send from there on.")
      }
    }
    return durable
  }
}

extension TelemetryBatch {
  /// Whether the other is of the same producer and race.
  fileprivate func belongs(with other: TelemetryBatch) -> Bool {
    ExactName(race) == ExactName(other.race) && ExactName(producer) == ExactName(other.producer)
  }
}
