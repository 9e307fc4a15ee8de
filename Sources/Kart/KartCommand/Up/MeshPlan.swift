import RaceFeeds

/// What `kart up` runs: the processes of the mesh, and how they find each other.
struct MeshPlan: Hashable, Sendable {
  /// Where the gateway listens unless it is told otherwise.
  static let defaultListen = "ipv4:127.0.0.1:8080"

  /// The folder of the mesh's executables.
  var executables: String
  /// The gateway's address, as a gRPC name.
  var listen: String
  /// How many replicas of the tracker run.
  var trackerCount: Int
  /// Whether the demo feed runs.
  var hasDemo: Bool
  /// How many event loops each process serves on; nil leaves it to them.
  var eventLoopCount: Int?
  /// Options that all of them take.
  var sharedArguments: [String] = []

  /// The processes, each before those that call it.
  func processes(in folder: StateFolder) -> [MeshProcess] {
    var processes = [
      process(
        "schedule-service", "schedule-service",
        ["--listen", "unix:\(folder.scheduleSocket)", "--database", folder.scheduleDatabase]
          + eventLoops)
    ]
    for number in 1...trackerCount {
      processes.append(
        process(
          "tracker-\(number)", "tracker-service",
          [
            "--listen", "unix:\(folder.trackerSocket(number))",
            "--database", folder.telemetryDatabase,
          ] + transientRaces + eventLoops))
    }
    processes.append(
      process(
        "gateway", "gateway",
        [
          "--listen", listen, "--schedule", "unix:\(folder.scheduleSocket)",
          "--trackers", "unix-dir:\(folder.trackers)", "--admin", "unix:\(folder.adminSocket)",
        ] + eventLoops))
    if hasDemo {
      processes.append(process("demo", "kart", ["feed", "demo", "--target", listen]))
    }
    return processes
  }

  // The demo goes on for as long as the mesh runs.
  private var transientRaces: [String] {
    hasDemo ? DemoRace.all.flatMap { ["--transient", $0.name] } : []
  }

  private var eventLoops: [String] {
    eventLoopCount.map { ["--event-loops", "\($0)"] } ?? []
  }

  private func process(_ name: String, _ executable: String, _ arguments: [String]) -> MeshProcess {
    MeshProcess(
      name: name, executable: "\(executables)/\(executable)",
      arguments: arguments + sharedArguments)
  }
}
