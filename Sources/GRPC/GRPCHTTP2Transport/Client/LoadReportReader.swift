import EventLoop
import GRPCCore

/// Keeps what the server at the other end of one connection reports of its load, beside all calls.
///
/// A server that does not know the service is not asked again. Confined to the channel's loop. See gRPC's proposal
/// A51.
final class LoadReportReader: @unchecked Sendable {
  static let method = MethodDescriptor(
    fullyQualifiedService: "xds.service.orca.v3.OpenRcaService", method: "StreamCoreMetrics",
    type: .serverStreaming)

  private let interval: Duration
  private let connection: ClientConnection
  private let channel: Channel
  private let onReport: (LoadReport) -> Void
  private var watch: ConnectionWatch?
  private var timer: ScheduledTimer?
  private var failures = 0
  private var random = SystemRandomNumberGenerator()

  init(
    every interval: Duration, on connection: ClientConnection, of channel: Channel,
    onReport: @escaping (LoadReport) -> Void
  ) {
    self.interval = interval
    self.connection = connection
    self.channel = channel
    self.onReport = onReport
  }

  func start() {
    timer = nil
    let watch = ConnectionWatch(
      Self.method, LoadReportRequest(interval: interval).serialized, on: connection,
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
      if let report = LoadReport(serialized: message) { onReport(report) }
    case .ended(.unimplemented):
      watch = nil
    case .ended:
      watch = nil
      failures += 1
      let wait = channel.configuration.backoff.wait(afterFailures: failures, using: &random)
      timer = channel.loop.schedule(after: wait) { [weak self] in self?.start() }
    }
  }
}
