import GRPCCore
import GRPCProtobuf
import KartAPI
import RaceRelay

/// Handles calls of `SwiftKartService.FollowRace`.
struct FollowRace<Schedule: ClientTransport, Trackers: ClientTransport>: Sendable {
  let relays: Relays<Trackers>
  let schedule: GRPCClient<Schedule>
  let clock: GatewayClock
  /// How long a follower may take over a delivery before it counts as slow.
  var slowAfter = Duration.seconds(1)
  /// How long the schedule may take to tell whether there is such a race.
  var lookupTimeout = Duration.seconds(5)

  /// Registers the method.
  func register<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
    router.registerHandler(
      forMethod: SwiftKartService.Method.FollowRace.descriptor,
      deserializer: ProtobufDeserializer<FollowRaceRequest>(), serializer: RawMessages()
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
    let (relay, id) = try await relays.join(
      race, Follower(types: types, resumeAfter: first.resumeAfter))
    let reader = Task { [requests] in
      var requests = requests
      do {
        while let request = try await requests.next(isolation: nil) {
          try request.validateIsFor(race)
          await relay.setTypes(try request.validatedTypes(), of: id)
        }
        await relay.finish(id)
      } catch {
        await relay.finish(
          id, with: error as? RPCError ?? RPCError(code: .cancelled, message: "The call broke off.")
        )
      }
    }
    return StreamingServerResponse { writer in
      let result: Result<Void, any Error>
      do {
        result = .success(try await deliver(relay, id, to: writer))
      } catch {
        result = .failure(error)
      }
      reader.cancel()
      await relays.leave(race, id)
      try result.get()
      return [:]
    }
  }

  private func deliver(
    _ relay: Relay<Trackers>, _ id: Int, to writer: RPCWriter<[UInt8]>
  ) async throws {
    var isSlow = false
    while true {
      switch try await relay.next(id, isSlow: isSlow) {
      case .events(let events):
        let start = clock.now()
        try await writer.write(contentsOf: events.lazy.map(\.response))
        isSlow = clock.now() - start > slowAfter
      case .catchUp(let number):
        isSlow = false
        do {
          try await relay.catchUp(id, after: number) { events in
            try await writer.write(contentsOf: events.lazy.map(\.response))
          }
        } catch let error as RPCError where error.code == .unavailable {
          // The next tracker goes on where this one was lost.
          try await clock.sleep(.milliseconds(50))
        }
      case .end: return
      }
    }
  }

  private func checkIsScheduled(_ race: String) async throws {
    if await relays.has(race) { return }
    var options = CallOptions.defaults
    options.timeout = lookupTimeout
    options.waitForReady = true
    var request = Swiftkart_Schedule_V1_GetRaceRequest()
    request.name = race
    _ = try await Swiftkart_Schedule_V1_RaceScheduleService.Client(wrapping: schedule)
      .getRace(request, options: options)
  }
}
