import EventLoop
import GRPCCore
import KartAPI
import KartProcess
import RaceRelay

/// The services that a gateway offers, over the schedule and the trackers behind it.
package struct Gateway<Schedule: ClientTransport, Trackers: ClientTransport>: Sendable {
  private let schedule: UnaryForwarder
  private let progress: UnaryForwarder
  private let followRace: FollowRace<Schedule, Trackers>
  private let telemetry: TelemetryForwarder<Schedule, Trackers>
  let relays: Relays<Trackers>
  private let recordableRaces: RecordableRaces<Schedule>

  /// Creates a gateway.
  ///
  /// - Parameters:
  ///   - schedule: Calls the schedule services.
  ///   - trackers: Calls the tracker services of those who follow races.
  ///   - replays: Calls the tracker services for those who follow far behind, and may not read what they asked
  ///     for: over connections of their own, of which each call holds little.
  ///   - telemetry: Calls the tracker services of those who record them: whoever is fit for the one need not be for
  ///     the other.
  ///   - limits: How many of a race's events are held for those who come back.
  ///   - silence: After how long without a sign of life a tracker counts as hanging.
  ///   - linger: How long a race is relayed after its last follower left.
  ///   - eventLoops: The loops that calls are served on.
  ///   - clock: The time.
  ///   - log: Where failovers are told of.
  package init(
    schedule: GRPCClient<Schedule>, trackers: GRPCClient<Trackers>,
    replays: GRPCClient<Trackers>, telemetry: GRPCClient<Trackers>,
    limits: EventWindow.Limits = .init(events: 4096, bytes: 8 << 20),
    silence: Duration = .milliseconds(1500), linger: Duration = .seconds(30),
    eventLoops: EventLoopGroup = .shared, clock: GatewayClock = .system, log: Log
  ) {
    self.schedule = UnaryForwarder(client: schedule, timeout: .seconds(10))
    progress = UnaryForwarder(client: telemetry, timeout: .seconds(10))
    relays = Relays(
      subscription: TrackerSubscription(client: trackers, clock: clock, silence: silence),
      limits: limits, linger: linger, eventLoops: eventLoops, log: log)
    let races = ScheduledRaces(client: schedule)
    followRace = FollowRace(
      relays: relays,
      replays: TrackerSubscription(client: replays, clock: clock, silence: silence),
      schedule: races, eventLoops: eventLoops)
    recordableRaces = RecordableRaces(races)
    self.telemetry = TelemetryForwarder(client: telemetry, races: recordableRaces, clock: clock)
  }

  /// Ends the calls of all who follow a race, so that they go elsewhere.
  package func drain() async { await relays.drain() }

  // Those who follow a race that is deleted are told, and nobody records it any more.
  @Sendable private func forgetRace(_ request: [UInt8]) async {
    guard let request = try? Swiftkart_Schedule_V1_DeleteRaceRequest(serializedBytes: request)
    else { return }
    await recordableRaces.forget(request.name)
    await relays.end(
      request.name,
      with: RPCError(code: .notFound, message: "The race \"\(request.name)\" was deleted."))
  }

  /// Ends the relays as well, which otherwise outlive their followers for a while.
  package func stop() async { await relays.stop() }
}

extension Gateway: RegistrableRPCService {
  /// Registers every service's methods.
  package func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>)
  {
    typealias ScheduleMethod = Swiftkart_Schedule_V1_RaceScheduleService.Method
    typealias TelemetryMethod = Swiftkart_Telemetry_V1_RaceTelemetryService.Method
    schedule.register(
      SwiftKartService.Method.ListRaces.descriptor, to: ScheduleMethod.ListUpcomingRaces.descriptor,
      with: &router)
    followRace.register(with: &router)

    for method in ScheduleMethod.descriptors {
      schedule.register(
        method, to: method, with: &router,
        onSuccess: method == ScheduleMethod.DeleteRace.descriptor ? forgetRace : nil)
    }

    telemetry.register(with: &router)
    progress.register(
      TelemetryMethod.GetProgress.descriptor, to: TelemetryMethod.GetProgress.descriptor,
      with: &router)
  }
}
