import GRPCCore
import KartAPI
import KartProcess

/// `kart load`: how fast a gateway answers.
enum LoadCommand {
  private static let concurrency = Option<Int>.integer(
    "concurrency", default: 16, in: 1...10_000, help: "How many calls are made at a time.")
  private static let count = Option<Int>.integer(
    "count", in: 1...Int.max, help: "Ends after so many calls."
  ).optional
  private static let duration = Option<Duration>.duration(
    "duration", default: .seconds(5), help: "Ends after this time, where no count is given.")
  private static let limit = Option<Int>.integer(
    "limit", default: 100, in: 0...Int(Int32.max), help: "How many races each call lists at most.")

  static var command: Command {
    var command = Command(name: "load", summary: "Measures how fast a gateway answers.")
    command.subcommands = [races]
    return command
  }

  private static var races: Command {
    var command = Command(
      name: "races", summary: "Calls ListRaces, and prints the rate and the latencies.")
    command.options = [concurrency, count, duration, limit, GatewayConnection.target]
    command.run = { arguments in
      let limit = try Int32(clamping: arguments[limit])
      let concurrency = try arguments[concurrency]
      let duration = try arguments[duration]
      let count = try arguments[count]
      let target = try arguments[GatewayConnection.target]
      let report = try await GatewayConnection.run(target) { client in
        let service = SwiftKartService.Client(wrapping: client)
        let request = ListRacesRequest.with { $0.limit = limit }
        // The first call connects, and says at once where nothing can be reached.
        _ = try await service.listRaces(request, options: GatewayConnection.callOptions)
        return await RaceLoad(
          service: service, request: request, options: GatewayConnection.callOptions,
          concurrency: concurrency, extent: count.map { .calls($0) } ?? .time(duration)
        ).run()
      }
      guard let report else { throw Interrupted() }
      StandardOutput.write(report.text)
      guard report.failures.isEmpty else { throw FailedCalls() }
    }
    return command
  }

  private struct FailedCalls: Error, CustomStringConvertible {
    var description: String { "not every call succeeded" }
  }
}
