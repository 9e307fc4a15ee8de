import FoundationEssentials
import KartAPI
import KartProcess
import RaceControl
import RaceFeeds
import SwiftProtobuf

/// `kart feed`: brings races into the telemetry log.
enum FeedCommand {
  static var command: Command {
    var command = Command(name: "feed", summary: "Feeds races into the telemetry log.")
    command.subcommands = [demo, rmonitor]
    return command
  }

  // MARK: - The demo

  private static let seed = Option<Int>.integer(
    "seed", default: 265, in: 0...Int.max, help: "Decides everything that is left to chance.")

  private static var demo: Command {
    var command = Command(
      name: "demo", summary: "Drives the two races of the demo until it is interrupted.")
    command.options = [seed, GatewayConnection.target] + Log.options
    command.run = { arguments in
      let log = try Log("demo", arguments)
      let seed = UInt64(try arguments[seed])
      _ = try await GatewayConnection.run(arguments[GatewayConnection.target]) { client in
        try await DemoFeed(feed: RaceFeed(client: client, log: log), seed: seed).run()
      }
    }
    return command
  }

  // MARK: - RMonitor

  private enum Session: String, CaseIterable, Sendable {
    case race, practice, qualifying

    var kind: SessionKind {
      switch self {
      case .race: .race
      case .practice: .practice
      case .qualifying: .qualifying
      }
    }
  }

  private static let race = Option<String>.text("race", "NAME", help: "The race's name.")
  private static let file = Option<String>.text(
    "file", "FILE", help: "A capture of the feed to replay; - reads it from standard input."
  ).optional
  private static let speed = Option<ReplaySpeed>.value(
    "speed", "N|max", default: .times(1),
    help: "How many times as fast as it was captured a capture is replayed, up to 1000.",
    expecting: "max or a whole number from 1 to 1000", decode: { ReplaySpeed($0) })
  private static let connect = Option<TimingEndpoint>.value(
    "connect", "HOST:PORT", help: "The timing system to read from.",
    expecting: "a host and a port such as timing.example:50000", decode: { TimingEndpoint($0) }
  ).optional
  private static let session = Option<Session>.choice(
    "session", default: .race, help: "What is driven: it decides how karts are classified.")
  private static let laps = Option<Int>.integer(
    "laps", in: 1...10_000,
    help: "The distance; where it is not given, the timing system's flag ends the session."
  ).optional

  private static var rmonitor: Command {
    var command = Command(
      name: "rmonitor", summary: "Feeds a race from a timing system's RMonitor feed, or a capture.")
    command.discussion = """
      A connection that breaks is made again. A capture that was sent before is recognised, and only
      what is missing of it is sent; at its end the classification is printed.
      """
    command.options =
      [race, connect, file, speed, session, laps, GatewayConnection.target] + Log.options
    command.run = { try await runRMonitor($0) }
    return command
  }

  private static func runRMonitor(_ arguments: Arguments) async throws {
    let log = try Log("rmonitor", arguments)
    let (race, speed) = (try arguments[race], try arguments[speed])
    let laps = try arguments[laps].map(Int32.init(clamping:))
    let session = Observation.SessionStart(
      kind: try arguments[session].kind, laps: laps ?? 0)
    let (file, endpoint) = (try arguments[file], try arguments[connect])
    guard (file == nil) != (endpoint == nil) else {
      throw UsageError("kart feed rmonitor: give either --file or --connect")
    }
    let capture = try file.map { file in
      let bytes = try InputFile.bytes(file)
      guard RMonitorReplay.isCapture(bytes) else {
        throw UsageError(
          "kart feed rmonitor: \(InputFile.name(file)) holds no record of an RMonitor feed, such as $G,1,\"7\",3,"
            + "\"00:05:12.345\"; give a capture of one")
      }
      return bytes
    }
    let entries = try await GatewayConnection.run(arguments[GatewayConnection.target]) { client in
      let feed = RMonitorFeed(
        feed: RaceFeed(client: client, log: log), race: race, session: session)
      try await feed.feed.schedule(
        laps.map { laps in
          .with {
            $0.name = race
            $0.laps = laps
            $0.startTime = Google_Protobuf_Timestamp(UTCInstant.now)
          }
        }, named: race)
      if let endpoint { try await feed.follow(endpoint) }
      guard let file, let capture else { return [StandingsEntry]() }
      let name = file.split(separator: "/").last.map(String.init) ?? file
      return try await feed.replay(capture, named: name, speed: speed)
    }
    guard let entries else {
      if capture == nil { return }
      throw Interrupted()
    }
    var table = TextTable(["POSITION", "KART", "LAPS"])
    for entry in entries {
      table.append(["\(entry.position)", "\(entry.kartNumber)", "\(entry.lap)"])
    }
    try StandardOutput.write(table.text)
  }
}
