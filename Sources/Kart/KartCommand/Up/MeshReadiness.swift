import FoundationEssentials
import GRPCCore
import KartAPI
import RaceFeeds

/// Whether a mesh that was started answers.
struct MeshReadiness<Transport: ClientTransport>: Sendable {
  var client: GRPCClient<Transport>
  var plan: MeshPlan
  var folder: StateFolder

  /// Asks until it does: every tracker listens, the gateway lists races, and those of the demo are
  /// there.
  ///
  /// - Parameter check: Throws where there is nothing to wait for.
  func wait(_ check: () async throws -> Void) async throws {
    while true {
      try await check()
      if try await isReady() { return }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  private func isReady() async throws -> Bool {
    for number in 1...plan.trackerCount {
      let socket = folder.trackerSocket(number)
      guard FileManager.default.fileExists(atPath: socket) else { return false }
    }
    var options = CallOptions.defaults
    options.timeout = .seconds(1)
    do {
      _ = try await SwiftKartService.Client(wrapping: client).listRaces(.init(), options: options)
      guard plan.hasDemo else { return true }
      let schedule = Swiftkart_Schedule_V1_RaceScheduleService.Client(wrapping: client)
      for race in DemoRace.all {
        _ = try await schedule.getRace(.with { $0.name = race.name }, options: options)
      }
      return true
    } catch let error as RPCError where error.code.isTransient || error.code == .notFound {
      return false
    }
  }
}
