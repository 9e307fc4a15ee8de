import GRPCCore

/// The stream by which one server tells of its health: a call of `grpc.health.v1.Health/Watch` on one connection.
///
/// Its two small messages are coded here, as the transport knows no protobuf.
final class HealthWatch: ClientCall, @unchecked Sendable {
  /// What the watch tells.
  enum Event {
    case status(isServing: Bool)
    case ended(Status.Code)
  }

  private static let method = MethodDescriptor(
    fullyQualifiedService: "grpc.health.v1.Health", method: "Watch", type: .serverStreaming)

  private let target: ClientConnection
  private var onEvent: ((Event) -> Void)?

  /// Makes a watch.
  ///
  /// - Parameters:
  ///   - service: Whose health to ask for.
  ///   - connection: Leads to the server.
  ///   - onEvent: Called on the loop; the last event is the end.
  init(
    of service: String, on connection: ClientConnection, channel: Channel,
    onEvent: @escaping (Event) -> Void
  ) {
    target = connection
    self.onEvent = onEvent
    super.init(channel: channel, method: Self.method, options: .defaults)
    isConfigured = true
    outbound.append(Self.request(service))
    outboundEnd = .withData
  }

  /// The watch is for this connection and no other.
  override func enter(_ channel: Channel) { target.send(self) }

  /// Gives up the watch; no event is told any more.
  func stop() {
    onEvent = nil
    fail(.cancelled("The connection is given up."))
  }

  override func didReceive(message: [UInt8]) {
    onEvent?(.status(isServing: Self.isServing(message)))
  }

  override func didTake(_ count: Int) {
    connection?.consume(count, of: self)
  }

  override func didEnd(_ end: End) {
    let onEvent = onEvent
    self.onEvent = nil
    onEvent?(.ended(end.code))
  }

  /// `HealthCheckRequest`, whose field 1 is the service.
  static func request(_ service: String) -> [UInt8] {
    let name = Array(service.utf8.prefix(0x3fff))
    guard !name.isEmpty else { return [] }
    let size =
      name.count < 0x80
      ? [UInt8(name.count)] : [UInt8(name.count & 0x7f | 0x80), UInt8(name.count >> 7)]
    return [0x0a] + size + name
  }

  /// `HealthCheckResponse`, whose field 1 is the status; 1 is SERVING.
  static func isServing(_ message: [UInt8]) -> Bool {
    // The last one counts. Nothing else is in the message, or it is not known here.
    message.count >= 2 && message[message.count - 2] == 0x08 && message[message.count - 1] == 1
  }
}
