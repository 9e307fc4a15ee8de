import EventLoop
import GRPCCore
import GRPCHTTP2Transport
import KartProcess

/// The way from a command to the gateway.
enum GatewayConnection {
  typealias Client = GRPCClient<HTTP2ClientTransport>

  /// Where the gateway is.
  static let target = Option<String>.text(
    "target", "ADDRESS", default: MeshPlan.defaultListen,
    help: "The gateway, as a gRPC name such as ipv4:127.0.0.1:8080 or dns:///kart.example:8080.")

  /// A call that is answered at once takes no longer than this.
  static var callOptions: CallOptions {
    var options = CallOptions.defaults
    options.timeout = .seconds(10)
    return options
  }

  /// Makes calls to a gateway until they are done or the process is asked to end.
  ///
  /// - Parameters:
  ///   - target: The gateway, as a gRPC name.
  ///   - body: Makes the calls; cancelled by a signal.
  /// - Returns: What `body` returns; nil where a signal came first.
  /// - Throws: `UsageError` where the name is none, and what `body` throws.
  static func run<Result: Sendable>(
    _ target: String, _ body: @escaping @Sendable (Client) async throws -> Result
  ) async throws -> Result? {
    try await run(target, connections: 1) { try await body($0[0].client) }
  }

  /// Does the same over several connections, each on one of the event loops.
  static func run<Result: Sendable>(
    _ target: String, connections: Int, eventLoops: EventLoopGroup = .shared,
    _ body: @escaping @Sendable ([(client: Client, loop: EventLoop)]) async throws -> Result
  ) async throws -> Result? {
    let transports = try (0..<max(1, connections)).map { _ in
      try transport(target, eventLoops)
    }
    return try await Termination.interrupting {
      // On the channel's own loop, calls need no other thread.
      try await withTaskExecutorPreference(transports[0].eventLoop) {
        try await connect(transports[...], [], body)
      }
    }
  }

  private static func connect<Result: Sendable>(
    _ transports: ArraySlice<HTTP2ClientTransport>,
    _ connected: [(client: Client, loop: EventLoop)],
    _ body: @escaping @Sendable ([(client: Client, loop: EventLoop)]) async throws -> Result
  ) async throws -> Result {
    guard let transport = transports.first else { return try await body(connected) }
    return try await withGRPCClient(transport: transport) { client in
      try await connect(
        transports.dropFirst(), connected + [(client, transport.eventLoop)], body)
    }
  }

  private static func transport(
    _ target: String, _ eventLoops: EventLoopGroup
  ) throws(UsageError) -> HTTP2ClientTransport {
    var configuration = HTTP2ClientTransport.Configuration.defaults
    // A gateway that hangs is found out soon, and one that was restarted is back soon.
    configuration.keepalive = Keepalive(time: .seconds(5), timeout: .seconds(2))
    configuration.backoff.initial = .milliseconds(100)
    configuration.backoff.maximum = .seconds(1)
    do {
      return try HTTP2ClientTransport(
        target: target, configuration: configuration, eventLoops: eventLoops)
    } catch {
      throw UsageError("kart: --target: \(error.message)")
    }
  }
}

/// A command that was asked to end before it was done.
struct Interrupted: Error, CustomStringConvertible {
  var description: String { "interrupted" }
}
