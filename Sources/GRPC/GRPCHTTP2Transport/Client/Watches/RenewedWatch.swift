import EventLoop
import GRPCCore

/// Watches the server at the other end of one connection for as long as that lasts: a stream that ends is begun
/// again.
///
/// ```
///   watching ──ended──▶ waiting, not at all if the stream told something ──▶ watching
///      └── the server does not know the method ──▶ over
/// ```
///
/// Confined to the channel's loop.
final class RenewedWatch: @unchecked Sendable {
  /// What the watch tells.
  enum Event {
    case message([UInt8])
    /// The stream has ended, and begins again.
    case interrupted
    /// The server does not know the method; the last event.
    case unimplemented
  }

  private let method: MethodDescriptor
  private let request: [UInt8]
  private let connection: ClientConnection
  private let channel: Channel
  private let onEvent: (Event) -> Void
  private var watch: ConnectionWatch?
  private var timer: ScheduledTimer?
  /// Streams in a row that told nothing.
  private var failures = 0
  private var hasTold = false
  private var random = SystemRandomNumberGenerator()

  /// Makes a watch.
  ///
  /// - Parameters:
  ///   - method: The server-streaming method to call.
  ///   - request: The request's message.
  ///   - connection: Leads to the server.
  ///   - onEvent: Called on the loop.
  init(
    _ method: MethodDescriptor, _ request: [UInt8], on connection: ClientConnection,
    of channel: Channel, onEvent: @escaping (Event) -> Void
  ) {
    self.method = method
    self.request = request
    self.connection = connection
    self.channel = channel
    self.onEvent = onEvent
  }

  func start() {
    timer = nil
    hasTold = false
    let watch = ConnectionWatch(method, request, on: connection, channel: channel) { [weak self] in
      self?.handle($0)
    }
    self.watch = watch
    watch.start()
  }

  /// Ends the watch; no event is told any more.
  func stop() {
    timer?.cancel()
    watch?.stop()
    watch = nil
  }

  private func handle(_ event: ConnectionWatch.Event) {
    switch event {
    case .message(let message):
      hasTold = true
      failures = 0
      onEvent(.message(message))
    case .ended(.unimplemented):
      watch = nil
      onEvent(.unimplemented)
    case .ended:
      watch = nil
      if !hasTold { failures += 1 }
      let wait =
        failures == 0
        ? .zero : channel.configuration.backoff.wait(afterFailures: failures, using: &random)
      timer = channel.loop.schedule(after: wait) { [weak self] in self?.start() }
      onEvent(.interrupted)
    }
  }
}
