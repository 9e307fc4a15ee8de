import EventLoop
import FoundationEssentials
import GRPCCore
import GRPCHTTP2Transport
import Glibc
import KartProcess

/// `kart up`: the whole mesh on one machine.
enum UpCommand {
  private static let listen = Option<String>.text(
    "listen", "ADDRESS", default: MeshPlan.defaultListen,
    help: "Where the gateway listens, as a gRPC name. Port 0 takes one that is free.")
  private static let trackers = Option<Int>.integer(
    "trackers", default: 3, in: 1...99, help: "How many replicas of the tracker run.")
  private static let eventLoops = Option<Int>.integer(
    "event-loops", in: 1...1024,
    help: "How many threads of each process serve connections; where this is not given, one for "
      + "each processor."
  ).optional
  private static let state = Option<String>.text(
    "state", "DIR",
    help: "The folder of the mesh's sockets and databases; where this is not given, swiftkart in "
      + "$XDG_STATE_HOME or ~/.local/state."
  ).optional
  private static let demo = Option<Bool>.flag(
    "demo", default: true, help: "Runs a feed of two simulated races.")

  static var command: Command {
    var command = Command(
      name: "up", summary: "Runs a schedule, trackers and a gateway until it is interrupted.")
    command.discussion = """
      The line `ready` on standard output says that the mesh answers. What the processes log goes to
      standard error. A process that dies is started again.
      """
    command.options = [listen, trackers, eventLoops, state, demo] + Log.options
    command.run = { try await run($0) }
    return command
  }

  private static func run(_ arguments: Arguments) async throws {
    let environment = ProcessInfo.processInfo.environment
    let address = try address(arguments[listen])
    // Who reads the output may go; the mesh stays.
    signal(SIGPIPE, SIG_IGN)
    // The supervisor asks how its children ended.
    signal(SIGCHLD, SIG_DFL)
    var waits = 0
    let folder = try await StateFolder(claiming: arguments[state] ?? defaultState(environment)) {
      try await Task.sleep(for: .milliseconds(50))
      waits += 1
      return waits < 100
    }
    defer { folder.release() }
    let format = try arguments[Log.format]
    let plan = MeshPlan(
      executables: executables, listen: "\(try probe(address))",
      trackerCount: try arguments[trackers], hasDemo: try arguments[demo],
      eventLoopCount: try arguments[eventLoops],
      sharedArguments: [
        "--log-format", format.rawValue, "--log-level", try arguments[Log.level].rawValue,
      ])
    let output = OutputForwarder { StandardError.write($0) }
    let supervisor = Supervisor(
      plan.processes(in: folder), environment: environment, inherited: folder.lock,
      loop: EventLoop(name: "supervisor"), log: try Log("kart", arguments, write: output.forward),
      format: format, forward: output.forward)
    let outcome = await Result { try await serve(plan, folder, supervisor) }
    await supervisor.stop()
    await output.shutdown(within: .seconds(1), by: .continuous)
    try outcome.get()
  }

  // Until a signal comes, or the mesh does not come up.
  private static func serve(
    _ plan: MeshPlan, _ folder: StateFolder, _ supervisor: Supervisor
  ) async throws {
    await supervisor.start()
    _ = try await GatewayConnection.run(plan.listen) { client in
      try await MeshReadiness(client: client, plan: plan, folder: folder).wait {
        try await supervisor.checkStart()
      }
      await supervisor.declareStarted()
      let guide = MeshGuide(plan: plan, folder: folder, command: name)
      // The mesh serves whether or not somebody reads this.
      try? StandardOutput.write("\(guide.text)\nready\n")
      while true {
        try await Task.sleep(for: .seconds(1))
        folder.restoreTrackers()
      }
    }
  }

  private static func address(_ text: String) throws(UsageError) -> SocketAddress {
    do {
      return try SocketAddress(parsing: text)
    } catch {
      throw UsageError("kart up: --listen: \(error)")
    }
  }

  private static func probe(_ address: SocketAddress) throws -> SocketAddress {
    do {
      return try address.probed()
    } catch let error as SystemError where error.code == EADDRINUSE {
      throw AddressInUse(address: address)
    }
  }

  private struct AddressInUse: Error, CustomStringConvertible {
    var address: SocketAddress

    var description: String {
      "\(address) is in use; stop what listens there, or name another address with --listen"
    }
  }

  /// The folder of a mesh that was not told another.
  static func defaultState(_ environment: [String: String]) throws(UsageError) -> String {
    if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") {
      return "\(folder)/swiftkart"
    }
    guard let home = environment["HOME"], !home.isEmpty else {
      throw UsageError("kart up: there is no HOME to keep the state in; name a folder with --state")
    }
    return "\(home)/.local/state/swiftkart"
  }

  // The mesh's executables are beside this one.
  private static var executables: String {
    let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  }

  // As the user called it.
  private static var name: String {
    CommandLine.arguments.first ?? "kart"
  }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}
