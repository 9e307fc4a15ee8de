import GRPCCore

/// Keeps the health of the server at the other end of one connection current.
///
/// ```
///   unknown ──SERVING──▶ serving ◀──▶ not serving
///      │                    │              │
///      └── stream ended ────┴──────────────┴──▶ not serving, asked again
/// ```
///
/// A server without a health service is taken to be healthy. Confined to the channel's loop. See gRPC's proposal
/// A17.
final class HealthChecker: @unchecked Sendable {
  enum Health {
    case unknown
    case serving
    case notServing
  }

  private(set) var health = Health.unknown
  private let onChange: () -> Void
  private var watch: RenewedWatch?

  init(
    _ service: String, on connection: ClientConnection, of channel: Channel,
    onChange: @escaping () -> Void
  ) {
    self.onChange = onChange
    watch = RenewedWatch(
      HealthCheckMessages.method, HealthCheckMessages.request(service), on: connection, of: channel
    ) { [weak self] in self?.handle($0) }
  }

  func start() { watch?.start() }

  func stop() { watch?.stop() }

  private func handle(_ event: RenewedWatch.Event) {
    switch event {
    case .message(let message):
      become(HealthCheckMessages.isServing(message) ? .serving : .notServing)
    case .interrupted: become(.notServing)
    case .unimplemented: become(.serving)
    }
  }

  private func become(_ new: Health) {
    guard new != health else { return }
    health = new
    onChange()
  }
}
