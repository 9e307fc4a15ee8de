import FoundationEssentials
import GRPCCore
import KartAPI
import KartProcess

/// `kart follow`: a race as it happens.
enum FollowCommand {
  private static let standings = Option<Bool>.flag(
    "standings", help: "Follows the standings besides the karts' positions.")

  static var command: Command {
    var command = Command(name: "follow", summary: "Follows a race until it is interrupted.")
    command.discussion = """
      In a terminal, a table is kept up to date in place; else each event is a line of JSON, a
      FollowRaceResponse. A connection that breaks is made again, and goes on after the last event.
      """
    command.options = [standings, JSONOutput.option, GatewayConnection.target]
    command.operands = [.init("RACE", help: "The race's name.")]
    command.run = { arguments in
      let target = try arguments[GatewayConnection.target]
      let race = arguments.operands[0]
      let wantsStandings = try arguments[standings]
      let isTable =
        try TerminalScreen.isTerminal(ProcessInfo.processInfo.environment)
        && !arguments[JSONOutput.option]
      _ = try await GatewayConnection.run(target) { client in
        let service = SwiftKartService.Client(wrapping: client)
        let types: [RaceEventType] =
          wantsStandings ? [.kartLocations, .standings] : [.kartLocations]
        if isTable {
          let view = FollowView(FollowedRace(name: race, wantsStandings: wantsStandings))
          try await view.show {
            async let _: Void = watchPlan(of: race, client) { await view.take($0) }
            let follower = RaceFollower(service, race: race, types: types, clock: .continuous) {
              await view.take($0)
            }
            try await follower.run()
          }
        } else {
          let lines = FollowLines(race: race)
          async let _: Void = lines.watch(by: .continuous)
          let follower = RaceFollower(service, race: race, types: types, clock: .continuous) {
            try await lines.take($0)
          }
          try await follower.run()
        }
      }
    }
    return command
  }

  // Asks the schedule now and then; where it does not answer, the race is followed all the same.
  private static func watchPlan(
    of race: String, _ client: GatewayConnection.Client,
    _ tell: @Sendable (FollowedRace.Plan) async -> Void
  ) async throws {
    let schedule = Swiftkart_Schedule_V1_RaceScheduleService.Client(wrapping: client)
    while true {
      let answer = try? await schedule.getRace(
        .with { $0.name = race }, options: GatewayConnection.callOptions)
      if let race = answer?.race {
        await tell(
          .init(
            start: RaceTable.minute(race.race.startTime), isFinished: race.hasFinishedAt))
      }
      try await Task.sleep(for: .seconds(10))
    }
  }
}
