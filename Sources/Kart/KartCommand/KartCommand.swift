import KartProcess

/// The `kart` command: SwiftKart on the command line.
package enum KartCommand {
  /// The command with all those that it holds.
  package static var command: Command {
    var command = Command(
      name: "kart", summary: "Runs a SwiftKart mesh, asks it, feeds it, and follows its races.")
    command.subcommands = [
      UpCommand.command, RacesCommand.command, FollowCommand.command, ScheduleCommand.command,
      FeedCommand.command, LoadCommand.command, HealthCommand.command, MeshCommand.command,
    ]
    return command
  }
}
