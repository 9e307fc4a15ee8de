import GRPCCore
import KartAPI
import KartProcess

/// Brings the batches of one producer into the telemetry log, each once and in order, over calls and
/// gateways that fail.
///
/// ```
///              batches
///    ┌ idle ───────────▶ calling ──failed──▶ waiting ┐
///    │                    │   ▲                      │
///    └── all on disk ◀────┘   └──────────────────────┘
/// ```
///
/// A call takes what has gathered and ends, so its answer says soon what is on disk; what gathers
/// meanwhile is for the next one. What is not known to be on disk is kept, and sent again by its
/// number.
actor RecordSender<Transport: ClientTransport, Time: Clock> where Time.Duration == Duration {
  typealias Service = Swiftkart_Telemetry_V1_RaceTelemetryService.Client<Transport>
  typealias Batch = Swiftkart_Telemetry_V1_RecordRequest

  /// How batches get their numbers.
  enum Numbering: Sendable {
    /// After those that are on disk already.
    case continuing
    /// From 1. The producer makes the same batches in every run, and those on disk are passed over.
    case repeating
  }

  /// Another feed records under the same name, so the numbers of the two mean different batches.
  struct ProducerInUse: Error, Hashable, CustomStringConvertible {
    var producer: String

    var description: String {
      "another feed is recording as \"\(producer)\"; stop that one first"
    }
  }

  /// How much is kept and sent.
  struct Limits: Sendable {
    /// How many batches are kept that may not be on disk.
    var kept = 4096
    /// How many bytes of them.
    var keptBytes = 64 << 20
    /// How many batches a call takes.
    var perCall = 512
    /// How many bytes of them.
    var bytesPerCall = 4 << 20
    /// How large a batch is.
    var cut = BatchCut()
    /// How long a call may take.
    var callTimeout = Duration.seconds(5)
  }

  private let service: Service
  private let race: String
  private let producer: String
  private let limits: Limits
  private let clock: Time
  private let log: Log
  private var outage: OutageLog
  private var isFullTold = false
  private var batches = UnacknowledgedBatches<Batch>(durable: 0, last: 0, capacity: 0)
  private var isFinished = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// - Parameters:
  ///   - service: The gateway's telemetry service.
  ///   - race: The race's name.
  ///   - producer: The producer's name, the same in every run.
  ///   - limits: How much is kept and sent.
  ///   - clock: What the waits after failures are measured by.
  ///   - log: Where failures are told.
  init(
    _ service: Service, race: String, producer: String, limits: Limits = Limits(), clock: Time,
    log: Log
  ) {
    self.service = service
    self.race = race
    self.producer = producer
    self.limits = limits
    self.clock = clock
    self.log = log.with(["race": .text(race)])
    outage = OutageLog(self.log, subject: "recording")
  }

  /// Asks what is on disk already. Comes before everything else.
  ///
  /// - Returns: The number up to which batches are on disk.
  /// - Throws: `RPCError` where asking again would fare no better.
  @discardableResult
  func start(_ numbering: Numbering) async throws -> UInt64 {
    let request = Swiftkart_Telemetry_V1_GetProgressRequest.with {
      $0.raceName = race
      $0.producerID = producer
    }
    let service = self.service
    let options = callOptions
    let durable = try await retrying {
      try await service.getProgress(request, options: options).durableThrough
    }
    batches = UnacknowledgedBatches(
      durable: durable, last: numbering == .continuing ? durable : 0, capacity: limits.kept,
      byteCapacity: limits.keptBytes)
    return durable
  }

  /// Adds a batch, or several where one would be too large. Waits while as much as may be is kept.
  ///
  /// - Throws: `BatchCut.Oversized`, `CancellationError`.
  func send(_ observations: [Swiftkart_Telemetry_V1_Observation]) async throws {
    for part in try limits.cut.parts(of: observations) {
      while batches.isFull {
        tellIfFull()
        try await change()
      }
      batches.append(bytes: part.bytes) { number in
        Batch.with {
          $0.raceName = race
          $0.producerID = producer
          $0.number = number
          $0.observations = Array(part.observations)
        }
      }
      changed()
    }
  }

  /// No batch comes any more.
  func finish() {
    isFinished = true
    changed()
  }

  /// Makes the calls. Returns when everything is on disk after ``finish()``.
  ///
  /// - Throws: `RPCError` where another call would fare no better, ``ProducerInUse``, and
  ///   `CancellationError`.
  func run() async throws {
    while true {
      while batches.count == 0 {
        if isFinished { return }
        try await change()
      }
      try await retrying { try await self.recordOnce() }
    }
  }

  private var callOptions: CallOptions {
    var options = CallOptions.defaults
    options.timeout = limits.callTimeout
    return options
  }

  private func recordOnce() async throws {
    let sent = batches.first(limits.perCall, bytes: limits.bytesPerCall)
    guard let last = sent.last?.number else { return }
    let durable = try await service.record(options: callOptions) { writer in
      for batch in sent { try await writer.write(batch) }
    }.durableThrough
    guard durable > batches.durable else {
      throw RPCError(
        code: .unavailable, message: "batch \(last) was sent, and \(durable) is the last on disk")
    }
    do {
      try batches.acknowledge(through: durable)
    } catch {
      throw ProducerInUse(producer: producer)
    }
    changed()
  }

  // Makes a call until it succeeds, or fails in a way that will not pass. RESOURCE_EXHAUSTED does pass: it is
  // a full disk or an overload, since no batch is larger than a message may be.
  private func retrying<Answer>(_ call: () async throws -> Answer) async throws -> Answer {
    // A race has one producer, and spectators who wait for it.
    var backoff = Backoff(longest: .milliseconds(500))
    while true {
      do {
        let answer = try await call()
        outage.succeeded()
        isFullTold = false
        return answer
      } catch let error as RPCError where error.code.isTransient {
        try Task.checkCancellation()
        outage.failed(error)
        tellIfFull()
        try await clock.sleep(for: backoff.wait(pushback: error.pushback))
      }
    }
  }

  // Whoever makes the batches waits now, and what it would tell meanwhile may be lost.
  private func tellIfFull() {
    guard outage.isFailing, batches.count > 0, batches.isFull, !isFullTold else { return }
    isFullTold = true
    log.error(
      "no more is kept until recording works again", ["kept": LogValue(batches.count)])
  }

  // Waits until something has changed.
  private func change() async throws {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // A later cancellation comes after this, because it has to come to the actor.
        if Task.isCancelled { continuation.resume() } else { waiters.append(continuation) }
      }
    } onCancel: {
      Task { await self.changed() }
    }
    try Task.checkCancellation()
  }

  private func changed() {
    let waiters = self.waiters
    self.waiters = []
    for waiter in waiters { waiter.resume() }
  }
}
