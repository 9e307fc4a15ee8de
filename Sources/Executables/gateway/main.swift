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

let scheduleConfig = Option<ServiceConfig>.serviceConfig(
  "schedule-config", default: try ServiceConfig.schedule,
  help: "How the schedule services are called: gRPC's service config as JSON, or a file with it.")
let trackersConfig = Option<ServiceConfig>.serviceConfig(
  "trackers-config", default: try ServiceConfig.trackers,
  help: "The same for the tracker services, as far as races are followed there.")
let telemetryConfig = Option<ServiceConfig>.serviceConfig(
  "telemetry-config", default: try ServiceConfig.telemetry,
  help: "The same for the tracker services, as far as races are recorded there.")

let admin = Option<SocketAddress>.value(
  "admin", "ADDRESS",
  help: "Where `kart mesh status` is answered: a Unix socket, which only its owner can open.",
  expecting: "a Unix socket such as unix:/run/kart/admin.sock"
) { text in
  (try? SocketAddress(parsing: text)).flatMap { $0.unixDomainSocket == nil ? nil : $0 }
}.optional

var command = Command(
  name: "gateway", summary: "Offers the league's races to its clients, from the services behind it."
)
command.options =
  [scheduleTarget, trackersTarget, scheduleConfig, trackersConfig, telemetryConfig, admin]
  + ServiceProcess.options(listeningOn: defaultAddress)
command.run = { arguments in
  let process = try ServiceProcess("gateway", listeningOn: defaultAddress, arguments)
  let toSchedule = try HTTP2ClientTransport(
    target: try arguments[scheduleTarget].target,
    configuration: .upstream(try arguments[scheduleConfig]), eventLoops: process.eventLoops)
  let toTrackers = try HTTP2ClientTransport(
    target: try arguments[trackersTarget].target,
    configuration: .upstream(try arguments[trackersConfig]), eventLoops: process.eventLoops)
  // These call the same processes, each over connections of its own: those who follow, however many
  // they are, must not use up the streams of those who record.
  let toReplays = try HTTP2ClientTransport(
    target: try arguments[trackersTarget].target,
    configuration: .replays(try arguments[trackersConfig]), eventLoops: process.eventLoops)
  let toTelemetry = try HTTP2ClientTransport(
    target: try arguments[trackersTarget].target,
    configuration: .upstream(try arguments[telemetryConfig]), eventLoops: process.eventLoops)
  let schedule = GRPCClient(transport: toSchedule)
  let trackers = GRPCClient(transport: toTrackers)
  let replays = GRPCClient(transport: toReplays)
  let telemetry = GRPCClient(transport: toTelemetry)
  let gateway = Gateway(
    schedule: schedule, trackers: trackers, replays: replays, telemetry: telemetry,
    eventLoops: process.eventLoops, log: process.log)
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
  assembly.dependencies = [
    Dependency(
      "schedule",
      of: [SwiftKartService.descriptor, Swiftkart_Schedule_V1_RaceScheduleService.descriptor],
      isThere: toSchedule.connectivityStates.reachability),
    Dependency(
      "trackers", of: [SwiftKartService.descriptor],
      isThere: toTrackers.connectivityStates.reachability),
    Dependency(
      "telemetry", of: [Swiftkart_Telemetry_V1_RaceTelemetryService.descriptor],
      isThere: toTelemetry.connectivityStates.reachability),
  ]
  assembly.offersChannelz = false
  assembly.background = [
    { try await schedule.runConnections() }, { try await trackers.runConnections() },
    { try await replays.runConnections() }, { try await telemetry.runConnections() },
  ]
  if let address = try arguments[admin] {
    assembly.background.append {
      try await serveAdmin(
        at: address,
        [
          ("schedule", toSchedule), ("trackers", toTrackers), ("replays", toReplays),
          ("telemetry", toTelemetry),
        ], in: process)
    }
  }
  assembly.drain = { await gateway.stop() }
  try await process.serve(assembly)
}
command.runAndExit()

/// Shows the channels to the gateway's owner, as long as it runs.
func serveAdmin(
  at address: SocketAddress, _ channels: [(name: String, transport: HTTP2ClientTransport)],
  in process: ServiceProcess
) async throws {
  var configuration = HTTP2ServerTransport.Configuration.defaults
  configuration.listening.unixMode = 0o600
  let provider = MeshAdminProvider(
    channels.map { channel in .init(channel.name) { await channel.transport.status } })
  try await GRPCServer(
    transport: HTTP2ServerTransport(
      listeningOn: address, configuration: configuration,
      eventLoops: process.eventLoops),
    services: [provider]
  ).serve()
}

extension HTTP2ClientTransport.Configuration {
  /// How the gateway connects to the services behind it, which are near: a lost one is found out and
  /// tried again within a fraction of a second.
  fileprivate static func upstream(_ config: ServiceConfig) -> Self {
    var configuration = Self.defaults
    configuration.serviceConfig = config
    configuration.loadBalancing = RoundRobin()
    configuration.backoff = ConnectionBackoff(
      initial: .milliseconds(50), maximum: .seconds(1))
    // Whether the gateway can serve depends on whether they are there.
    configuration.idleTimeout = nil
    configuration.connectTimeout = .seconds(1)
    configuration.keepalive = Keepalive(
      time: .milliseconds(500), timeout: .milliseconds(500), permitWithoutCalls: true)
    configuration.minimumResolutionInterval = .seconds(1)
    return configuration
  }

  /// The same for what followers catch up with: one who does not read must cost little.
  fileprivate static func replays(_ config: ServiceConfig) -> Self {
    var configuration = Self.upstream(config)
    configuration.initialWindowBytes = 32 << 10
    configuration.maxWindowBytes = 32 << 10
    return configuration
  }
}
