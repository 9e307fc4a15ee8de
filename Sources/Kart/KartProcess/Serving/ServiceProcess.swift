import CLinux
import EventLoop
import FoundationEssentials
import GRPCCore
import GRPCHTTP2Transport
import GRPCServices
import SwiftProtobuf

/// A process that serves: it listens, offers health and reflection beside its own services, and on
/// SIGTERM or Ctrl-C tells its clients, drains and ends. A second signal ends it at once.
package struct ServiceProcess: Sendable {
  /// What a process serves.
  package struct Assembly: Sendable {
    /// The services' implementations.
    package var services: [any RegistrableRPCService]
    /// The services whose health is told.
    package var descriptors: [ServiceDescriptor]
    /// The services whose calls are handled even where there are too many of the others'.
    package var priorities: Set<ServiceDescriptor> = []
    /// The files that reflection describes.
    package var files: [any FileDescriptorProviding.Type]
    /// Whether channelz tells of the process's connections and their load: not where just anyone may ask.
    package var offersChannelz = true
    /// Tells whether what the services answer is up to date; health says so. nil: always.
    package var readiness: AsyncStream<Bool>?
    /// The services that serve whether or not the process is ready.
    package var alwaysReady: Set<ServiceDescriptor> = []
    /// What some of the services cannot answer without; their health says so.
    package var dependencies: [Dependency] = []
    /// What runs beside the server until it has drained.
    package var background: [@Sendable () async throws -> Void] = []
    /// Ends the calls that would never end by themselves, once a shutdown was asked for.
    package var drain: @Sendable () async -> Void = {}

    package init(
      services: [any RegistrableRPCService], descriptors: [ServiceDescriptor],
      files: [any FileDescriptorProviding.Type]
    ) {
      self.services = services
      self.descriptors = descriptors
      self.files = files
    }
  }

  private static let eventLoopCount = Option<Int>.integer(
    "event-loops", default: EventLoopGroup.processorCount, in: 1...1024,
    help: "How many threads serve connections.")
  private static let drainTimeout = Option<Duration>.duration(
    "drain-timeout", default: .seconds(10),
    help: "How long calls in progress may take to end when the process is asked to.")

  // Who serves at a port has many clients; who does not has gateways, with the calls of all of theirs.
  private static func maximumStreams(default address: SocketAddress?) -> Option<Int> {
    .integer(
      "max-streams", default: address == nil ? 50_000 : 1000, in: 1...1_000_000,
      help: "How many calls a connection may have at a time. Its client keeps others back.")
  }
  private static let maximumUnaryCalls = Option<Int>.integer(
    "max-unary-calls", default: 1000, in: 1...1_000_000,
    help: "How many unary calls are handled at a time. Others are sent away at once.")
  private static let maximumStreamingCalls = Option<Int>.integer(
    "max-streaming-calls", default: 50_000, in: 1...10_000_000,
    help: "How many streaming calls are handled at a time. Others are sent away at once.")

  private static func listen(default address: SocketAddress?) -> Option<[ListeningAddress]> {
    var option = Option<[ListeningAddress]>.list(
      "listen", "ADDRESS", default: address.map { [.socket($0)] },
      help: "Where to listen, such as unix:/run/kart/x.sock or ipv4:127.0.0.1:8080; in "
        + "unix-dir:FOLDER, at a socket named after this host; or systemd, at the sockets that it "
        + "hands over.",
      expecting: "an address such as unix:/run/kart/x.sock or ipv4:127.0.0.1:8080"
    ) { ListeningAddress(parsing: $0) }
    if address?.unixDomainSocket == nil, address != nil {
      option.definition.substitute = .port
      option.definition.help += " A PORT alone is one of every interface: ipv4:0.0.0.0:PORT."
    }
    return option
  }

  /// The options of every process that serves.
  ///
  /// - Parameter address: Where it listens unless it is told; nil makes `--listen` required. Who
  ///   listens on a port by default takes another one from `PORT`, on every interface.
  package static func options(listeningOn address: SocketAddress? = nil) -> [any AnyOption] {
    [
      listen(default: address), eventLoopCount, drainTimeout, maximumStreams(default: address),
      maximumUnaryCalls, maximumStreamingCalls,
    ] + Log.options
  }

  /// Where the process tells what happens.
  package let log: Log
  /// The loops of the process: its connections, and the calls on them.
  package let eventLoops: EventLoopGroup
  private let listening: [ListeningAddress]
  private let inherited: [Int32]
  private let drainTimeout: Duration
  private let maximumStreams: Int
  private let limit: ConcurrencyLimit

  /// Makes a process of what its command line says.
  ///
  /// - Parameters:
  ///   - name: What the process is called in its log.
  ///   - address: The default of `--listen`, as in ``options(listeningOn:)``.
  ///   - arguments: Those of a command that lists the options.
  ///   - environment: The environment variables, which tell of sockets that are handed over.
  package init(
    _ name: String, listeningOn address: SocketAddress? = nil, _ arguments: Arguments,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(UsageError) {
    log = try Log(name, arguments)
    listening = try arguments[Self.listen(default: address)]
    do throws(UsageError) {
      inherited =
        listening.contains(.inherited)
        ? try SocketActivation.descriptors(environment: environment) : []
    } catch {
      throw UsageError("\(name): \(error)")
    }
    drainTimeout = try arguments[Self.drainTimeout]
    maximumStreams = try arguments[Self.maximumStreams(default: address)]
    limit = ConcurrencyLimit(
      unaryCalls: try arguments[Self.maximumUnaryCalls],
      streamingCalls: try arguments[Self.maximumStreamingCalls], pushback: .milliseconds(200)
    ) { [log] isOverloaded in
      if isOverloaded {
        log.warning("calls are sent away: there are too many")
      } else {
        log.info("calls are taken again")
      }
    }
    eventLoops = EventLoopGroup(count: try arguments[Self.eventLoopCount])
  }

  /// Serves until the process is asked to end and has drained.
  ///
  /// - Throws: What keeps it from listening, or what one of the background tasks failed with.
  package func serve(_ assembly: Assembly) async throws {
    var configuration = HTTP2ServerTransport.Configuration.defaults
    configuration.maxDrainTime = drainTimeout
    configuration.maxConcurrentStreams = maximumStreams
    // The soft limit is low for the sake of programs that use select().
    raise_descriptor_limit()
    configuration.listening.onDescriptorShortage = { [log] in
      log.warning("clients are sent away: too few file descriptors are left")
    }
    // Our own clients ask often, to find out within a second that a replica hangs.
    configuration.pingPolicy.minimumInterval = .milliseconds(250)
    configuration.pingPolicy.permitWithoutCalls = true
    do {
      for case .folder(let folder) in listening { try folder.prepare() }
    } catch {
      throw CannotListen(error) ?? error
    }
    let transport = HTTP2ServerTransport(
      listeningOn: listening.compactMap { $0.address() }, adopting: inherited,
      configuration: configuration, eventLoops: eventLoops)
    let healthService = HealthService()
    let health = ServingHealth(
      healthService.provider, services: assembly.descriptors, alwaysReady: assembly.alwaysReady,
      dependencies: assembly.dependencies)
    var services: [any RegistrableRPCService] = assembly.services.map {
      $0.limited(by: limit, exempt: assembly.priorities)
    }
    services.append(healthService)
    var files = assembly.files + [File_Grpc_Health_V1_Health.self]
    if assembly.offersChannelz {
      services.append(ChannelzService(servers: [transport]))
      files.append(File_Grpc_Channelz_V1_Channelz.self)
    }
    services.append(try ReflectionService(files: files))
    let server = GRPCServer(transport: transport, services: services)
    try await Termination.withSignals { signals in
      try await withThrowingTaskGroup(of: Bool.self) { group in
        group.addTask {
          do {
            try await server.serve()
          } catch {
            throw CannotListen(error) ?? error
          }
          return true
        }
        group.addTask {
          await conduct(server, health, assembly, signals)
          return false
        }
        if let readiness = assembly.readiness {
          // Until it says otherwise, it is not.
          health.isReady(false)
          group.addTask {
            for await isReady in readiness {
              log.info(isReady ? "ready" : "not ready")
              health.isReady(isReady)
            }
            return false
          }
        }
        for dependency in assembly.dependencies {
          group.addTask {
            await dependency.watch(health, log: log)
            return false
          }
        }
        for task in assembly.background {
          group.addTask {
            try await task()
            return false
          }
        }
        defer { group.cancelAll() }
        while let hasServed = try await group.next(), !hasServed {}
      }
    }
    log.info("stopped")
  }

  /// Tells that the server serves, waits for a signal, and has it drain.
  private func conduct(
    _ server: GRPCServer<HTTP2ServerTransport>, _ health: ServingHealth,
    _ assembly: Assembly, _ signals: AsyncStream<Int32>
  ) async {
    // Where it can't listen, the server itself says why.
    guard let addresses = try? await server.transport.listeningAddresses else { return }
    health.listens()
    for address in addresses { log.info("serving", ["address": "\(address)"]) }
    for await signal in signals {
      log.info("draining", ["signal": LogValue(signal)])
      health.drains()
      await assembly.drain()
      server.beginGracefulShutdown()
    }
  }
}
