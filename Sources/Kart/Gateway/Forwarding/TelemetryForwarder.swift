import GRPCCore
import KartAPI
import RaceRelay

/// Passes a producer's batches on to whichever tracker takes them.
///
/// What is not acknowledged is kept and sent again to another tracker when one fails: a batch is known
/// by its number, so nothing is logged twice. The producer is held back while too much is kept.
struct TelemetryForwarder<Schedule: ClientTransport, Trackers: ClientTransport>: Sendable {
  private typealias Telemetry = Swiftkart_Telemetry_V1_RaceTelemetryService

  let client: GRPCClient<Trackers>
  let races: RecordableRaces<Schedule>
  let clock: GatewayClock
  /// How long one tracker may take to acknowledge what it was sent.
  var attemptTimeout = Duration.seconds(2)
  /// How often to try in a row before the producer is told.
  var attempts = 8
  /// How many bytes of batches to keep.
  var capacity = 1 << 20

  /// Registers the method.
  func register<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
    router.registerHandler(
      forMethod: Telemetry.Method.Record.descriptor, deserializer: SerializedMessages(),
      serializer: SerializedMessages()
    ) { request, _ in
      StreamingServerResponse(
        single: ServerResponse(message: try await record(request.messages)))
    }
  }

  private func record(_ batches: RPCAsyncSequence<[UInt8], any Error>) async throws -> [UInt8] {
    let queue = BoundedQueue<[UInt8]>(capacity: capacity)
    let reader = Task {
      do {
        for try await batch in batches { try await queue.push(batch, bytes: batch.count) }
        await queue.finish()
      } catch {
        await queue.fail(error)
      }
    }
    defer { reader.cancel() }
    do {
      // A request without a batch is answered by a tracker too.
      var answer: [UInt8]?
      var origin: BatchOrigin?
      while let batches = try await queue.take() {
        try await check(batches, of: &origin)
        answer = try await send(batches)
      }
      if let answer { return answer }
      return try await send([])
    } catch {
      await queue.fail(error)
      throw error
    }
  }

  /// Checks that a call's batches are of one producer and of one race, which may be recorded. No tracker can
  /// tell: each sees a part of the call.
  ///
  /// - Parameter origin: Of whom the batches before were; nil before the first.
  private func check(_ batches: [[UInt8]], of origin: inout BatchOrigin?) async throws {
    for batch in batches {
      // What is no batch, or names no race, is for the tracker to refuse.
      guard let batch = BatchOrigin(of: batch) else { continue }
      guard let known = origin else {
        origin = batch
        if !batch.race.text.isEmpty { try await races.admit(batch.race.text) }
        continue
      }
      guard batch == known else {
        throw RPCError(
          code: .invalidArgument,
          message: "A call takes one producer's batches of one race; those of "
            + "\(batch.race == known.race ? "another producer" : "another race") need a call of their own."
        )
      }
    }
  }

  /// How a tracker fails that is not well: another may be.
  private static var mayPassElsewhere: Set<RPCError.Code> {
    [.unavailable, .deadlineExceeded, .internalError, .unknown]
  }

  /// Sends batches until a tracker has acknowledged all of them.
  private func send(_ batches: [[UInt8]]) async throws -> [UInt8] {
    var options = CallOptions.defaults
    options.timeout = attemptTimeout
    options.waitForReady = true
    var pause = Duration.milliseconds(20)
    for attempt in 1... {
      let response = try await client.clientStreaming(
        request: StreamingClientRequest(of: [UInt8].self) { writer in
          try await writer.write(contentsOf: batches)
        },
        descriptor: Telemetry.Method.Record.descriptor, serializer: SerializedMessages(),
        deserializer: SerializedMessages(), options: options
      ) { $0 }
      switch response.accepted.flatMap({ $0.message }) {
      case .success(let answer): return answer
      case .failure(let error):
        try Task.checkCancellation()
        guard attempt < attempts, Self.mayPassElsewhere.contains(error.code) else { throw error }
        try await clock.sleep(pause)
        pause = min(pause * 2, .milliseconds(500))
      }
    }
    throw RPCError(code: .internalError, message: "The attempts ran out of numbers.")
  }
}
