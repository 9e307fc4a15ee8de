import GRPCCore
import GRPCHTTP2Transport
import GRPCServices
import KartProcess

/// `kart health`: whether a service can take calls, for a container's health check.
enum HealthCommand {
  private static let timeout = Option<Duration>.duration(
    "timeout", default: .seconds(2), help: "How long to wait for the answer.")
  private static let service = Option<String>.text(
    "service", "NAME",
    help: "A service with its package; the server as a whole where it is not given."
  ).optional

  static var command: Command {
    var command = Command(
      name: "health", summary: "Tells whether a service can take calls, with exit status 0 or 1.")
    command.discussion = """
      ADDRESS is where the service listens, such as unix:/run/kart/schedule.sock or
      dns:///localhost:8080. Of unix-dir:FOLDER it is the socket that is named after this host, as for
      the service's own --listen.
      """
    command.operands = [.init("ADDRESS", help: "Where the service listens, as a gRPC name.")]
    command.options = [service, timeout]
    command.run = { arguments in
      let address = arguments.operands[0]
      var options = CallOptions.defaults
      options.timeout = try arguments[timeout]
      let asked = try arguments[service] ?? ""
      let subject = asked.isEmpty ? address : "\(asked) at \(address)"
      let status = try await GatewayConnection.run(target(address)) { [options] client in
        try await ask(client, about: asked, of: subject, options)
      }
      guard let status else { throw Interrupted() }
      guard status == .serving else { throw Unhealthy(subject: subject, reason: name(status)) }
      try StandardOutput.write("\(subject) is serving\n")
    }
    return command
  }

  private static func ask(
    _ client: GatewayConnection.Client, about service: String, of subject: String,
    _ options: CallOptions
  ) async throws -> Grpc_Health_V1_HealthCheckResponse.ServingStatus {
    let request = Grpc_Health_V1_HealthCheckRequest.with { $0.service = service }
    do {
      return try await Grpc_Health_V1_Health.Client(wrapping: client)
        .check(request, options: options).status
    } catch let error as RPCError {
      throw Unhealthy(subject: subject, reason: "\(error.code): \(error.message)")
    }
  }

  /// A status as the health protocol spells it.
  private static func name(_ status: Grpc_Health_V1_HealthCheckResponse.ServingStatus) -> String {
    switch status {
    case .serving: "SERVING"
    case .notServing: "NOT_SERVING"
    case .serviceUnknown: "SERVICE_UNKNOWN"
    case .unknown, .UNRECOGNIZED: "UNKNOWN"
    }
  }

  /// The target of an address as a service or a client writes it.
  static func target(
    _ address: String, host: String = ListeningAddress.hostName
  ) throws(UsageError) -> String {
    if let socket = ListeningAddress(parsing: address)?.address(onHost: host) {
      return "\(socket)"
    }
    do {
      return try TargetName(address).text
    } catch {
      throw UsageError("kart health: ADDRESS: \(error.message)")
    }
  }

  private struct Unhealthy: Error, CustomStringConvertible {
    var subject: String
    var reason: String

    var description: String { "\(subject) is not serving (\(reason))" }
  }
}
