import GRPCCore
import GRPCHTTP2Transport
import KartAPI
import KartProcess

/// `kart schedule`: the organisers' side of the schedule.
enum ScheduleCommand {
  private typealias Service =
    Swiftkart_Schedule_V1_RaceScheduleService.Client<HTTP2ClientTransport>

  static var command: Command {
    var command = Command(name: "schedule", summary: "Shows and changes the schedule of races.")
    command.subcommands = [
      list, get, create, update, delete, finish, importRaces, exportRaces,
    ]
    return command
  }

  private static let name = Command.Operand("NAME", help: "The race's name.")
  private static let raceFile = Command.Operand(
    "FILE",
    help: "A race as JSON, such as {\"name\": \"Duck Pond Dash\", \"startTime\": "
      + "\"2026-12-05T14:00:00Z\", \"laps\": 6}; - reads it from standard input.")

  private static var list: Command {
    var command = Command(name: "list", summary: "Lists every race, finished ones too.")
    command.options = [JSONOutput.option]
    define(&command) { arguments, service in
      var races: [RaceFile.ScheduledRace] = []
      try await ScheduleTransfer(service: service).forEachRace { races.append($0) }
      guard try arguments[JSONOutput.option] else { return RaceTable.text(races) }
      return try races.map { "\(try $0.jsonString())\n" }.joined()
    }
    return command
  }

  private static var get: Command {
    var command = Command(name: "get", summary: "Prints a race as JSON.")
    command.operands = [name]
    define(&command) { arguments, service in
      let name = arguments.operands[0]
      let answer = try await service.getRace(
        .with { $0.name = name }, options: GatewayConnection.callOptions)
      return try line(answer.race)
    }
    return command
  }

  private static var create: Command {
    var command = Command(name: "create", summary: "Adds a race.")
    command.operands = [raceFile]
    define(&command) { arguments, service in
      let race = try race(arguments)
      let answer = try await service.createRace(
        .with { $0.race = race }, options: GatewayConnection.callOptions)
      return try line(answer.race)
    }
    return command
  }

  private static var update: Command {
    var command = Command(name: "update", summary: "Replaces the race of the same name.")
    command.operands = [raceFile]
    define(&command) { arguments, service in
      let race = try race(arguments)
      let answer = try await service.updateRace(
        .with { $0.race = race }, options: GatewayConnection.callOptions)
      return try line(answer.race)
    }
    return command
  }

  private static var delete: Command {
    var command = Command(name: "delete", summary: "Removes a race.")
    command.operands = [name]
    define(&command) { arguments, service in
      let name = arguments.operands[0]
      _ = try await service.deleteRace(
        .with { $0.name = name }, options: GatewayConnection.callOptions)
      return ""
    }
    return command
  }

  private static var finish: Command {
    var command = Command(
      name: "finish", summary: "Marks a race as finished, which takes it off `kart races`.")
    command.operands = [name]
    define(&command) { arguments, service in
      let name = arguments.operands[0]
      let answer = try await service.finishRace(
        .with { $0.name = name }, options: GatewayConnection.callOptions)
      return try line(answer.race)
    }
    return command
  }

  private static var importRaces: Command {
    var command = Command(
      name: "import", summary: "Adds the races of a file, and replaces those of the same name.")
    command.discussion = """
      The file is JSON: {"races": [...]}, the list alone or a single race, of races such as
      {"name": "Duck Pond Dash", "startTime": "2026-12-05T14:00:00Z", "laps": 6} or as
      `kart schedule export` writes them. All of them are checked before the first is imported.
      """
    command.operands = [
      .init("FILE", help: "The file of races; - reads it from standard input.")
    ]
    define(&command) { arguments, service in
      let file = arguments.operands[0]
      do {
        let races = try RaceFile.races(in: InputFile.text(file))
        var transfer = ScheduleTransfer(service: service)
        transfer.onSilence = { error in
          let failure = "\(error)".escapedForDisplay
          StandardError.write(
            "kart schedule import: the schedule does not answer; trying again (\(failure))\n")
        }
        let outcome = try await transfer.importRaces(races) { outcome in
          guard races.count > ScheduleTransfer<HTTP2ClientTransport>.racesPerCall else { return }
          StandardError.write("kart schedule import: \(outcome.total) of \(races.count) races\n")
        }
        let noun = outcome.created == 1 ? "race" : "races"
        return "\(outcome.created) \(noun) created, \(outcome.replaced) replaced\n"
      } catch let error as RaceFile.Malformed {
        throw UsageError(
          "kart schedule import: \(InputFile.name(file)) is no file of races: \(error)")
      }
    }
    return command
  }

  private static var exportRaces: Command {
    var command = Command(
      name: "export", summary: "Prints every race as a file that `kart schedule import` reads.")
    define(&command) { _, service in
      var text = RaceFile.opening
      var isFirst = true
      try await ScheduleTransfer(service: service).forEachRace { race in
        text += try RaceFile.line(race, isFirst: isFirst)
        isFirst = false
      }
      return text + RaceFile.closing
    }
    return command
  }

  // Has the command make its calls, and print what comes of them.
  private static func define(
    _ command: inout Command,
    _ body: @escaping @Sendable (Arguments, Service) async throws -> String
  ) {
    command.options.append(GatewayConnection.target)
    command.run = { arguments in
      let target = try arguments[GatewayConnection.target]
      let output = try await GatewayConnection.run(target) { client in
        try await body(arguments, Service(wrapping: client))
      }
      guard let output else { throw Interrupted() }
      try StandardOutput.write(output)
    }
  }

  private static func race(_ arguments: Arguments) throws -> Race {
    let file = arguments.operands[0]
    do {
      return try RaceFile.race(in: InputFile.text(file))
    } catch let error as RaceFile.Malformed {
      throw UsageError("kart schedule: \(InputFile.name(file)) is no race: \(error)")
    }
  }

  private static func line(_ race: RaceFile.ScheduledRace) throws -> String {
    "\(try race.jsonString())\n"
  }
}
