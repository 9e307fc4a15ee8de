import GRPCCore

/// A stream by which one server tells of itself for as long as its connection lasts, such as of its health.
///
/// The transport knows no protobuf: messages are what their users make of them.
final class ConnectionWatch: ClientCall, @unchecked Sendable {
  /// What the watch tells.
  enum Event {
    case message([UInt8])
    case ended(Status.Code)
  }

  private let target: ClientConnection
  private var onEvent: ((Event) -> Void)?

  /// Makes a watch.
  ///
  /// - Parameters:
  ///   - method: The server-streaming method to call.
  ///   - request: The request's message.
  ///   - connection: Leads to the server.
  ///   - onEvent: Called on the loop; the last event is the end.
  init(
    _ method: MethodDescriptor, _ request: [UInt8], on connection: ClientConnection,
    channel: Channel, onEvent: @escaping (Event) -> Void
  ) {
    target = connection
    self.onEvent = onEvent
    super.init(channel: channel, method: method, options: .defaults, for: .channel)
    isConfigured = true
    outbound.append(request)
    outboundEnd = .withData
  }

  /// The watch is for this connection and no other.
  override func enter(_ channel: Channel) { target.send(self) }

  /// Gives up the watch; no event is told any more.
  func stop() {
    onEvent = nil
    fail(.cancelled("The connection is given up."))
  }

  override func didReceive(message: [UInt8]) throws(MessageDeframer.Failure) {
    onEvent?(.message(try content(of: message, isCompressed: latestIsCompressed)))
  }

  override func didTake(_ count: Int) {
    connection?.consume(count, of: self)
  }

  override func didEnd(_ end: End) {
    let onEvent = onEvent
    self.onEvent = nil
    onEvent?(.ended(end.code))
  }
}
