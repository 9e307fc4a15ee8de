import GRPCCore
import GRPCHTTP2Transport
import Gateway
import KartAPI
import KartProcess

Termination.prepare()

let defaultAddress = SocketAddress.ipv4(host: "127.0.0.1", port: 8080)

func target(_ name: String, help: String) -> Option<TargetName> {
  .value(
    name, "TARGET", help: help,
    expecting: "a target such as unix:/run/kart/schedule.sock or unix-dir:/run/kart/trackers"
  ) { try? TargetName($0) }
}

let scheduleTarget = target("schedule", help: "Where the schedule services are.")
let trackersTarget = target("trackers", help: "Where the tracker services are.")

var command = Command(
  name: "gateway", summary: "Offers the league's races to its clients, from the services behind it."
)
command.options =
  [scheduleTarget, trackersTarget] + ServiceProcess.options(listeningOn: defaultAddress)
command.run = { arguments in
  let process = try ServiceProcess("gateway", listeningOn: defaultAddress, arguments)
  let upstream = HTTP2ClientTransport.Configuration.upstream
  let schedule = GRPCClient(
    transport: try HTTP2ClientTransport(
      target: try arguments[scheduleTarget].target, configuration: upstream,
      eventLoops: process.eventLoops))
  let trackers = GRPCClient(
    transport: try HTTP2ClientTransport(
      target: try arguments[trackersTarget].target, configuration: upstream,
      eventLoops: process.eventLoops))
  let gateway = Gateway(
    schedule: schedule, trackers: trackers, eventLoops: process.eventLoops, log: process.log)
  var assembly = ServiceProcess.Assembly(
    services: [gateway],
    descriptors: [
      SwiftKartService.descriptor, Swiftkart_Schedule_V1_RaceScheduleService.descriptor,
      Swiftkart_Telemetry_V1_RaceTelemetryService.descriptor,
    ],
    files: [
      File_SwiftKartService.self, File_Swiftkart_Schedule_V1_RaceScheduleService.self,
      File_Swiftkart_Telemetry_V1_RaceTelemetryService.self,
    ])
  assembly.priorities = [Swiftkart_Telemetry_V1_RaceTelemetryService.descriptor]
  assembly.offersChannelz = false
  assembly.background = [
    { try await schedule.runConnections() }, { try await trackers.runConnections() },
  ]
  assembly.drain = { await gateway.stop() }
  try await process.serve(assembly)
}
command.runAndExit()

extension HTTP2ClientTransport.Configuration {
  /// How the gateway connects to the services behind it, which are near: a lost one is found out and
  /// tried again within a fraction of a second.
  fileprivate static var upstream: Self {
    var configuration = Self.defaults
    configuration.loadBalancing = RoundRobin()
    configuration.backoff = ConnectionBackoff(
      initial: .milliseconds(50), maximum: .seconds(1))
    configuration.connectTimeout = .seconds(1)
    configuration.keepalive = Keepalive(
      time: .milliseconds(500), timeout: .milliseconds(500), permitWithoutCalls: true)
    configuration.minimumResolutionInterval = .seconds(1)
    return configuration
  }
}
