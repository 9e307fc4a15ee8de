import GRPCCore
import GRPCServices
import Synchronization

/// What a process tells of its health (grpc.health.v1).
///
/// ```
///   starting ── listens ──▶ serving ⇄ not ready ──▶ draining
/// ```
/// A process that is not ready is well, but what it would answer is not up to date; services that look nothing
/// up, since they only take things in, are as well as ever. Where something is missing that services depend on, those
/// do not serve; the process does. Nothing follows draining.
final class ServingHealth: Sendable {
  private struct State {
    var listens = false
    var isReady = true
    var drains = false
    /// The dependencies that are not there, by their names.
    var missing: Set<String>
  }

  private let provider: HealthService.Provider
  private let services: [ServiceDescriptor]
  private let alwaysReady: Set<ServiceDescriptor>
  private let dependencies: [Dependency]
  private let state: Mutex<State>

  /// Tells that nothing is served yet.
  ///
  /// - Parameters:
  ///   - provider: Where it is told.
  ///   - services: The services of which it is told, beside the process as a whole.
  ///   - alwaysReady: Those of them that serve whether or not the process is ready.
  ///   - dependencies: What some of them need. None is there yet.
  init(
    _ provider: HealthService.Provider, services: [ServiceDescriptor],
    alwaysReady: Set<ServiceDescriptor> = [], dependencies: [Dependency] = []
  ) {
    self.provider = provider
    self.services = services
    self.alwaysReady = alwaysReady
    self.dependencies = dependencies
    state = Mutex(State(missing: Set(dependencies.map(\.name))))
    change { _ in }
  }

  func listens() { change { $0.listens = true } }

  func isReady(_ isReady: Bool) { change { $0.isReady = isReady } }

  func isThere(_ isThere: Bool, _ dependency: Dependency) {
    change { state in
      if isThere {
        state.missing.remove(dependency.name)
      } else {
        state.missing.insert(dependency.name)
      }
    }
  }

  var isDraining: Bool { state.withLock(\.drains) }

  func drains() { change { $0.drains = true } }

  private func change(_ body: (inout State) -> Void) {
    // Told inside the lock, so that the last change is the one that stays.
    state.withLock { state in
      body(&state)
      let serves = state.listens && !state.drains
      let missing = dependencies.filter { state.missing.contains($0.name) }
      for service in services {
        let isReady = state.isReady || alwaysReady.contains(service)
        let isWhole = !missing.contains { $0.services.contains(service) }
        provider.updateStatus(
          serves && isReady && isWhole ? .serving : .notServing, forService: service)
      }
      provider.updateStatus(serves && state.isReady ? .serving : .notServing, forService: "")
    }
  }
}
