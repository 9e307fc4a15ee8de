import EventLoop
import GRPCCore
import GRPCProtobuf
import KartAPI
import RaceRelay

/// Handles calls of `SwiftKartService.FollowRace`.
struct FollowRace<Schedule: ClientTransport, Trackers: ClientTransport>: Sendable {
  let relays: Relays<Trackers>
  /// How followers get what the relays hold no more.
  let replays: TrackerSubscription<Trackers>
  let schedule: ScheduledRaces<Schedule>
  let eventLoops: EventLoopGroup
  /// How long a follower may take over deliveries, one after another, before it counts as slow.
  var slowAfter = Duration.seconds(1)
  /// How long a follower may wait for the event that it resumes after.
  var patience = Duration.seconds(2)
  /// How long the schedule may take to tell whether there is such a race.
  var lookupTimeout = Duration.seconds(5)
  /// The same where the race is known to have been there.
  var shortLookupTimeout = Duration.milliseconds(500)

  /// Registers the method.
  func register<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
    router.registerHandler(
      forMethod: SwiftKartService.Method.FollowRace.descriptor,
      deserializer: ProtobufDeserializer<FollowRaceRequest>(), serializer: SerializedMessages()
    ) { request, _ in try await follow(request) }
  }

  private func follow(
    _ request: StreamingServerRequest<FollowRaceRequest>
  ) async throws -> StreamingServerResponse<[UInt8]> {
    var requests = request.messages.makeAsyncIterator()
    guard let first = try await requests.next(isolation: nil) else {
      return StreamingServerResponse { _ in [:] }
    }
    let race = try first.validatedRaceName()
    let types = try first.validatedTypes()
    try await checkIsScheduled(race)
    // What keeps the follower out is told before the call is accepted.
    try await relays.admit(race)
    let follower = Follower(types: types, resumeAfter: first.resumeAfter)
    return StreamingServerResponse { writer in
      // A call that breaks off before it is accepted never comes here: nobody joins who would not leave.
      let attendance = try await attend(race, as: follower, request.messages)
      let result: Result<Void, any Error>
      do {
        result = .success(try await attendance.delivery.run(to: writer))
      } catch {
        result = .failure(error)
      }
      await leave(attendance)
      try result.get()
      return [:]
    }
  }

  /// A follower's call from when it is in the relay until it leaves.
  private struct Attendance: Sendable {
    let delivery: FollowerDelivery<Trackers>
    let reader: Task<Void, Never>
    let judge: Task<Void, any Error>?
  }

  /// - Parameter requests: The call's requests, of which the first one was read.
  private func attend(
    _ race: String, as follower: Follower,
    _ requests: RPCAsyncSequence<FollowRaceRequest, any Error>
  ) async throws -> Attendance {
    let (relay, branch, id) = try await relays.join(race, follower, on: loop)
    let reader = Task(executorPreference: branch.loop) {
      do {
        for try await request in requests {
          try request.validateIsFor(race)
          await branch.setTypes(try request.validatedTypes(), of: id)
        }
        await branch.finish(id)
      } catch {
        await branch.finish(
          id, with: error as? RPCError ?? RPCError(code: .cancelled, message: "The call broke off.")
        )
      }
    }
    // A tracker may be a little behind the one that the follower had its last event from.
    let judge =
      follower.mayBeAhead
      ? Task(executorPreference: branch.loop) {
        try await relays.clock.sleep(patience)
        await branch.endIfAhead(id)
      }
      : nil
    return Attendance(
      delivery: FollowerDelivery(
        relay: relay, replays: replays, branch: branch, id: id, slowAfter: slowAfter),
      reader: reader, judge: judge)
  }

  private func leave(_ attendance: Attendance) async {
    attendance.reader.cancel()
    attendance.judge?.cancel()
    let delivery = attendance.delivery
    await relays.leave(delivery.relay, delivery.branch, delivery.id)
  }

  // The loop that the call runs on, where its transport has loops.
  private var loop: EventLoop {
    eventLoops.loops.first(where: \.inEventLoop) ?? eventLoops.next()
  }

  // A race that others follow is followed even while the schedule does not answer.
  private func checkIsScheduled(_ race: String) async throws {
    guard await relays.has(race) else {
      return try await schedule.check(race, within: lookupTimeout)
    }
    do {
      try await schedule.check(race, within: shortLookupTimeout)
    } catch let error as RPCError where error.code != .notFound {
      // It may be the call itself that was cancelled.
      try Task.checkCancellation()
    }
  }
}
