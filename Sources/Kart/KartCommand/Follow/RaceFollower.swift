import GRPCCore
import KartAPI

/// Follows a race over calls that end: each begins where the one before got to.
actor RaceFollower<Transport: ClientTransport, Time: Clock> where Time.Duration == Duration {
  private let service: SwiftKartService.Client<Transport>
  private let race: String
  private let types: [RaceEventType]
  private let clock: Time
  private let onUpdate: @Sendable (FollowUpdate) async throws -> Void
  private var sequence: UInt64 = 0
  private var backoff = Backoff()

  /// - Parameters:
  ///   - service: The gateway.
  ///   - race: The race's name.
  ///   - types: The types of events to follow.
  ///   - clock: What the waits between calls are measured by.
  ///   - onUpdate: Told of everything in order; the next event waits for it.
  init(
    _ service: SwiftKartService.Client<Transport>, race: String, types: [RaceEventType],
    clock: Time, onUpdate: @escaping @Sendable (FollowUpdate) async throws -> Void
  ) {
    self.service = service
    self.race = race
    self.types = types
    self.clock = clock
    self.onUpdate = onUpdate
  }

  /// Follows until the task is cancelled.
  ///
  /// - Throws: `RPCError` where another call would fare no better, `CancellationError`, and what the
  ///   follower's closure throws.
  func run() async throws {
    while true {
      try await onUpdate(.connecting)
      let failure: RPCError
      do {
        try await call()
        // A gateway that shuts down in good order ends its calls so.
        failure = RPCError(code: .unavailable, message: "the gateway ended the call")
      } catch let error as RPCError where error.code.isTransient {
        failure = error
      } catch let error as RPCError where error.code == .outOfRange && sequence > 0 {
        // The race's log was begun anew, and so is this.
        sequence = 0
        failure = error
      }
      try Task.checkCancellation()
      let wait = backoff.wait(pushback: failure.pushback)
      try await onUpdate(.disconnected(failure, retryIn: wait))
      try await clock.sleep(for: wait)
    }
  }

  private func call() async throws {
    let request = FollowRaceRequest.with {
      $0.raceName = race
      $0.eventTypes = types
      if sequence > 0 { $0.resumeAfter = sequence }
    }
    // The end of the requests would end the call, so they stay open until the responses end.
    let (open, end) = AsyncStream.makeStream(of: Never.self)
    try await service.followRace { requests in
      try await requests.write(request)
      for await _ in open {}
    } onResponse: { response in
      defer { end.finish() }
      _ = try response.accepted.get()
      try await self.onUpdate(.connected)
      for try await event in response.messages { try await self.take(event) }
    }
  }

  private func take(_ event: FollowRaceResponse) async throws {
    backoff.reset()
    try await onUpdate(.event(event))
    sequence = max(sequence, event.sequence)
  }
}
