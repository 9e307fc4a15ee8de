import GRPCCore
import GRPCServices
import Synchronization

/// What a process tells of its health (grpc.health.v1).
///
/// ```
///   starting ── listens ──▶ serving ⇄ not ready ──▶ draining
/// ```
/// A process that is not ready is well, but what it would answer is not up to date; services that look nothing
/// up, since they only take things in, are as well as ever. Nothing follows draining.
final class ServingHealth: Sendable {
  private struct State {
    var listens = false
    var isReady = true
    var drains = false
  }

  private let provider: HealthService.Provider
  private let services: [ServiceDescriptor]
  private let alwaysReady: Set<ServiceDescriptor>
  private let state = Mutex(State())

  /// Tells that nothing is served yet.
  ///
  /// - Parameters:
  ///   - provider: Where it is told.
  ///   - services: The services of which it is told, beside the process as a whole.
  ///   - alwaysReady: Those of them that serve whether or not the process is ready.
  init(
    _ provider: HealthService.Provider, services: [ServiceDescriptor],
    alwaysReady: Set<ServiceDescriptor> = []
  ) {
    self.provider = provider
    self.services = services
    self.alwaysReady = alwaysReady
    change { _ in }
  }

  func listens() { change { $0.listens = true } }

  func isReady(_ isReady: Bool) { change { $0.isReady = isReady } }

  func drains() { change { $0.drains = true } }

  private func change(_ body: (inout State) -> Void) {
    // Told inside the lock, so that the last change is the one that stays.
    state.withLock { state in
      body(&state)
      let serves = state.listens && !state.drains
      let status: ServingStatus = serves && state.isReady ? .serving : .notServing
      for service in services {
        let isWell = serves && alwaysReady.contains(service)
        provider.updateStatus(isWell ? .serving : status, forService: service)
      }
      provider.updateStatus(status, forService: "")
    }
  }
}
