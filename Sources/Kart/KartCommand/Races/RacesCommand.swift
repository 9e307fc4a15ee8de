import GRPCCore
import KartAPI
import KartProcess

/// `kart races`: the races to come.
enum RacesCommand {
  private static let limit = Option<Int>.integer(
    "limit", in: Int(Int32.min)...Int(Int32.max),
    help: "How many races to list at most; the gateway lists 100 where this is not given."
  ).optional

  static var command: Command {
    var command = Command(name: "races", summary: "Lists the races that are not finished.")
    command.options = [limit, JSONOutput.option, GatewayConnection.target]
    command.run = { arguments in
      let request = ListRacesRequest.with {
        if let limit = try? arguments[limit] { $0.limit = Int32(clamping: limit) }
      }
      let races = try await GatewayConnection.run(arguments[GatewayConnection.target]) { client in
        try await SwiftKartService.Client(wrapping: client)
          .listRaces(request, options: GatewayConnection.callOptions).races
      }
      guard let races else { throw Interrupted() }
      if try arguments[JSONOutput.option] {
        for race in races { try StandardOutput.write("\(race.jsonString())\n") }
      } else if !races.isEmpty || request.limit > 0 {
        // Of no races asked for, their number says nothing.
        try StandardOutput.write(RaceTable.text(races))
      }
    }
    return command
  }
}
