import EventLoop
import GRPCCore

/// Keeps the health of the server at the other end of one connection current.
///
/// ```
///   unknown ──SERVING──▶ serving ◀──▶ not serving
///      │                    │              │
///      └── stream ended ────┴──────────────┴──▶ not serving, asked again after a backoff
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
  private let service: String
  private let connection: ClientConnection
  private let channel: Channel
  private let onChange: () -> Void
  private var watch: ConnectionWatch?
  private var timer: ScheduledTimer?
  private var failures = 0
  private var random = SystemRandomNumberGenerator()

  init(
    _ service: String, on connection: ClientConnection, of channel: Channel,
    onChange: @escaping () -> Void
  ) {
    self.service = service
    self.connection = connection
    self.channel = channel
    self.onChange = onChange
  }

  func start() {
    timer = nil
    let watch = ConnectionWatch(
      HealthCheckMessages.method, HealthCheckMessages.request(service), on: connection,
      channel: channel
    ) { [weak self] in self?.handle($0) }
    self.watch = watch
    watch.start()
  }

  func stop() {
    timer?.cancel()
    watch?.stop()
    watch = nil
  }

  private func handle(_ event: ConnectionWatch.Event) {
    switch event {
    case .message(let message):
      failures = 0
      become(HealthCheckMessages.isServing(message) ? .serving : .notServing)
    case .ended(.unimplemented):
      watch = nil
      become(.serving)
    case .ended:
      watch = nil
      failures += 1
      let wait =
        failures == 1
        ? .zero : channel.configuration.backoff.wait(afterFailures: failures - 1, using: &random)
      timer = channel.loop.schedule(after: wait) { [weak self] in self?.start() }
      become(.notServing)
    }
  }

  private func become(_ new: Health) {
    guard new != health else { return }
    health = new
    onChange()
  }
}
