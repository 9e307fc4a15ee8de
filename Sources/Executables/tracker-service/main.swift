import EventLoop
import KartAPI
import KartProcess
import TrackerService

Termination.prepare()

let database = Option<String>.text(
  "database", "FILE", default: "telemetry.sqlite",
  help: "The SQLite file of the telemetry log, which the replicas of a machine share.")

let transient = Option<[String]>.list(
  "transient", "RACE", default: [],
  help: "A race of which only the newest two sessions are kept, such as a demo that runs for ever; "
    + "of any other race everything is.",
  expecting: "a race's name"
) { $0.isEmpty ? nil : $0 }

var command = Command(
  name: "tracker-service", summary: "Logs what is seen at the track, and tells what it makes of it."
)
command.options = [database, transient] + ServiceProcess.options()
command.run = { arguments in
  let process = try ServiceProcess("tracker-service", arguments)
  let telemetry = try SQLiteTelemetryLog(
    path: try arguments[database], writing: EventLoop(name: "log-writer"),
    reading: EventLoop(name: "log-reader"), logger: process.log)
  let races = FollowedRaces(log: telemetry, loops: process.eventLoops, logger: process.log)
  var assembly = ServiceProcess.Assembly(
    services: [RaceTelemetryProvider(log: telemetry), RaceEventProvider(races: races)],
    descriptors: [
      Swiftkart_Telemetry_V1_RaceTelemetryService.descriptor,
      Swiftkart_Relay_V1_RaceEventService.descriptor,
    ],
    files: [
      File_Swiftkart_Telemetry_V1_RaceTelemetryService.self,
      File_Swiftkart_Relay_V1_RaceEventService.self,
    ])
  assembly.readiness = races.readiness
  // Telemetry goes into the log; whether races are up to date does not matter to it.
  assembly.alwaysReady = [Swiftkart_Telemetry_V1_RaceTelemetryService.descriptor]
  let retention = TelemetryRetention(
    log: telemetry, races: try arguments[transient], logger: process.log)
  assembly.priorities = [Swiftkart_Telemetry_V1_RaceTelemetryService.descriptor]
  assembly.background = [{ await races.run() }, { await retention.run() }]
  assembly.drain = { await races.drain() }
  try await process.serve(assembly)
  await telemetry.close()
}
command.runAndExit()
