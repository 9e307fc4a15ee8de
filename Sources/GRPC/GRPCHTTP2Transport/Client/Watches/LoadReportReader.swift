import GRPCCore

/// Keeps what the server at the other end of one connection reports of its load, beside all calls.
///
/// A server that does not know the service is not asked again. Confined to the channel's loop. See gRPC's proposal
/// A51.
final class LoadReportReader: @unchecked Sendable {
  static let method = MethodDescriptor(
    fullyQualifiedService: "xds.service.orca.v3.OpenRcaService", method: "StreamCoreMetrics",
    type: .serverStreaming)

  private let watch: RenewedWatch

  init(
    every interval: Duration, on connection: ClientConnection, of channel: Channel,
    onReport: @escaping (LoadReport) -> Void
  ) {
    watch = RenewedWatch(
      Self.method, LoadReportRequest(interval: interval).serialized, on: connection, of: channel
    ) { event in
      if case .message(let message) = event, let report = LoadReport(serialized: message) {
        onReport(report)
      }
    }
  }

  func start() { watch.start() }

  func stop() { watch.stop() }
}
