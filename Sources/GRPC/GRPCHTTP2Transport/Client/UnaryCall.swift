import GRPCCore

/// A call with one request message and one response message, answered all at once.
final class UnaryCall: ClientCall, @unchecked Sendable {
  private let message: [UInt8]
  private var continuation: UnsafeContinuation<UnaryOutcome<[UInt8]>, Never>?
  private var outcome: UnaryOutcome<[UInt8]>?
  private var responseMetadata: Metadata?
  private var response: [UInt8]?
  private var hasSurplus = false

  init(
    channel: Channel, method: MethodDescriptor, options: CallOptions, metadata: Metadata,
    message: [UInt8]
  ) {
    self.message = message
    super.init(channel: channel, method: method, options: options, metadata: metadata)
    outboundEnd = .withData
  }

  /// Starts, and resumes the continuation once when the call has ended. From any thread.
  func start(_ continuation: UnsafeContinuation<UnaryOutcome<[UInt8]>, Never>) {
    if channel.loop.inEventLoop {
      begin(continuation)
    } else {
      channel.loop.execute { [self] in begin(continuation) }
    }
  }

  private func begin(_ continuation: UnsafeContinuation<UnaryOutcome<[UInt8]>, Never>) {
    // A cancellation may have come first.
    if let outcome { return continuation.resume(returning: outcome) }
    self.continuation = continuation
    do throws(RPCError) {
      try queue(message)
      start()
    } catch {
      fail(error)
    }
  }

  override func didReceive(metadata: Metadata) {
    responseMetadata = metadata
  }

  override func didReceive(message: [UInt8]) {
    hasSurplus = response != nil
    response = message
  }

  override func didTake(_ count: Int) {
    connection?.consume(count, of: self)
  }

  override func didEnd(_ end: End) {
    let outcome: UnaryOutcome<[UInt8]>
    switch end {
    case .status(let status, let trailers):
      outcome = UnaryOutcome(
        metadata: responseMetadata, message: response, hasSurplus: hasSurplus, status: status,
        trailingMetadata: trailers)
    case .failure(let error):
      outcome =
        responseMetadata.map {
          .accepted(metadata: $0, message: .failure(error), trailingMetadata: [:])
        } ?? .rejected(error)
    }
    guard let continuation else {
      self.outcome = outcome
      return
    }
    self.continuation = nil
    continuation.resume(returning: outcome)
  }

  override func rewind() -> Bool {
    outbound.removeAll()
    return (try? queue(message)) != nil
  }
}
