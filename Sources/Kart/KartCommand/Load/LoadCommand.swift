import EventLoop
import GRPCCore
import GRPCHTTP2Transport
import KartAPI
import KartProcess
import RaceControl
import Synchronization

/// `kart load`: how fast a gateway answers, and how soon its followers know.
enum LoadCommand {
  private static let concurrency = Option<Int>.integer(
    "concurrency", default: 16, in: 1...10_000, help: "How many calls are made at a time.")
  private static let count = Option<Int>.integer(
    "count", in: 1...Int.max, help: "Ends after so many calls."
  ).optional
  private static let duration = Option<Duration>.duration(
    "duration", default: .seconds(5), isPositive: true,
    help: "Ends after this time, where no count is given.")
  private static let runTime = Option<Duration>.duration(
    "duration", default: .seconds(10), isPositive: true, help: "How long the events are counted.")
  private static let limit = Option<Int>.integer(
    "limit", default: 100, in: 0...Int(Int32.max), help: "How many races each call lists at most.")

  static var command: Command {
    var command = Command(name: "load", summary: "Measures how fast a gateway answers.")
    command.subcommands = [races, followers]
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
      let measured = Mutex<RaceLoad<HTTP2ClientTransport>.Report?>(nil)
      let isDone: Void? = try await GatewayConnection.run(target) { client in
        let service = SwiftKartService.Client(wrapping: client)
        let request = ListRacesRequest.with { $0.limit = limit }
        // The first call connects, and says at once where nothing can be reached.
        _ = try await service.listRaces(request, options: GatewayConnection.callOptions)
        let report = await RaceLoad(
          service: service, request: request, options: GatewayConnection.callOptions,
          concurrency: concurrency, extent: count.map { .calls($0) } ?? .time(duration)
        ).run()
        measured.withLock { $0 = report }
      }
      // What was measured up to an interruption counts as well.
      let report = measured.withLock { $0 }
      if let report { try StandardOutput.write(report.text) }
      guard isDone != nil, let report else { throw Interrupted() }
      guard report.failures.isEmpty else { throw FailedCalls() }
    }
    return command
  }

  private static let followerCount = Option<Int>.integer(
    "followers", default: 100, in: 1...1_000_000, help: "How many follow the race.")
  private static let connections = Option<Int>.integer(
    "connections", default: 10, in: 1...10_000, help: "How many connections they share.")
  private static let eventLoops = Option<Int>.integer(
    "event-loops", default: EventLoopGroup.processorCount, in: 1...1024,
    help: "How many threads serve the connections.")
  private static let standings = Option<Bool>.flag(
    "standings", default: true, help: "Follows the standings besides the karts' positions.")

  private static var followers: Command {
    var command = Command(
      name: "followers",
      summary: "Follows a race many times, and prints how late the events come.")
    command.discussion = """
      The delay is from when a kart was seen to when the follower knows, by the clocks of both.
      """
    command.options = [
      followerCount, connections, eventLoops, runTime, standings, GatewayConnection.target,
    ]
    command.operands = [.init("RACE", help: "The race's name.")]
    command.run = { arguments in
      let race = arguments.operands[0]
      let count = try arguments[followerCount]
      let duration = try arguments[runTime]
      let types: [RaceEventType] =
        try arguments[standings] ? [.kartLocations, .standings] : [.kartLocations]
      let report = try await GatewayConnection.run(
        arguments[GatewayConnection.target], connections: min(arguments[connections], count),
        eventLoops: EventLoopGroup(count: arguments[eventLoops])
      ) { connections in
        let lanes = connections.map {
          FollowerLoad<HTTP2ClientTransport, ContinuousClock>.Lane(
            service: .init(wrapping: $0.client), executor: $0.loop)
        }
        return try await FollowerLoad(
          lanes: lanes, race: race, types: types, followers: count, clock: .continuous,
          now: { UTCInstant.now }
        ).run(for: duration)
      }
      guard let report else { throw Interrupted() }
      try StandardOutput.write(report.text)
    }
    return command
  }

  private struct FailedCalls: Error, CustomStringConvertible {
    var description: String { "not every call succeeded" }
  }
}
