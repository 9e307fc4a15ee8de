/// The truth of every race: batches of observations in the order in which they became durable. All
/// replicas share one log, and a race's events are a pure function of its batches in this order.
package protocol TelemetryLog: Sendable {
  /// Appends batches, all of whose outcomes are on disk when this returns.
  ///
  /// - Returns: What became of each batch, in their order. One that is refused does not keep the
  ///   others out.
  func append(_ batches: [TelemetryBatch]) async throws -> [AppendOutcome]

  /// The number of the newest batch that a producer has in a race; 0 if it has none.
  func progress(ofProducer producer: String, inRace race: String) async throws -> UInt64

  /// The batches of one race after a position, oldest first, up to and including another.
  ///
  /// - Parameter limit: How many bytes of batches at most, though at least one batch if there is any.
  func batches(
    ofRace race: String, after position: LogPosition, through last: LogPosition, limit: Int
  ) async throws -> [LoggedBatch]

  /// The position of the newest batch of any race.
  func head() async throws -> LogPosition

  /// The batches of any race after a position, oldest first. Waits for the first one, though not
  /// longer than `patience`: then there are none.
  func next(after position: LogPosition, patience: Duration) async throws -> [LoggedBatch]

  /// The newest checkpoint of a race that lies at or before an event; where what lies there is
  /// forgotten, the oldest place that is not.
  ///
  /// - Parameter event: The event's number; nil for the newest checkpoint of all.
  func checkpoint(
    ofRace race: String, notAfterEvent event: UInt64?
  ) async throws -> RaceCheckpoint?

  /// Keeps a checkpoint. Every replica finds the same ones, so one that is known already is the same.
  func save(_ checkpoint: RaceCheckpoint, ofRace race: String) async throws

  /// Forgets batches of sessions that are over, as far as their checkpoints tell where they end.
  ///
  /// - Parameter count: How many of the newest sessions stay, at least one.
  /// - Returns: How many batches were forgotten. There may be more until there are none.
  func forgetSessions(ofRace race: String, keeping count: Int) async throws -> Int
}

/// A place in the log: the later a batch became durable, the greater its position. 0 lies before them all.
package typealias LogPosition = Int64

/// A batch as a producer sends it.
package struct TelemetryBatch: Sendable, Hashable {
  package var race: String
  package var producer: String
  /// Counts the producer's batches of the race from 1, without a gap.
  package var number: UInt64
  /// The serialized `RecordRequest`.
  package var record: [UInt8]

  package init(race: String, producer: String, number: UInt64, record: [UInt8]) {
    self.race = race
    self.producer = producer
    self.number = number
    self.record = record
  }
}

/// What became of a batch.
package enum AppendOutcome: Sendable, Hashable {
  /// It is on disk, now or since an earlier sending, and so is the producer's every batch through this
  /// number.
  case durable(through: UInt64)
  /// A batch before it is missing.
  case gap(expected: UInt64)
}

/// A batch in the log.
package struct LoggedBatch: Sendable, Hashable {
  package var position: LogPosition
  package var race: String
  /// The serialized `RecordRequest`.
  package var record: [UInt8]
  /// Up to where the race's batches are forgotten; 0 where none are. Who has read less of the race
  /// has missed some.
  package var forgotten: LogPosition
}

/// A place where a race's log can be read from without what went before, because a session starts there.
package struct RaceCheckpoint: Sendable, Hashable {
  /// The batch that starts the session is the first after this position.
  package var position: LogPosition
  /// How many events the race had before that batch.
  package var events: UInt64
}
