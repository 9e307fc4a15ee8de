import GRPCCore
import KartAPI

/// Asks the schedule whether it has a race.
struct ScheduledRaces<Schedule: ClientTransport>: Sendable {
  let client: GRPCClient<Schedule>

  /// Returns where the schedule has the race, finished or not.
  ///
  /// - Parameter timeout: How long the schedule may take.
  /// - Throws: `RPCError`: NOT_FOUND where it has none of that name, or why it did not tell.
  func check(_ race: String, within timeout: Duration) async throws {
    var options = CallOptions.defaults
    options.timeout = timeout
    options.waitForReady = true
    var request = Swiftkart_Schedule_V1_GetRaceRequest()
    request.name = race
    _ = try await Swiftkart_Schedule_V1_RaceScheduleService.Client(wrapping: client)
      .getRace(request, options: options)
  }
}
