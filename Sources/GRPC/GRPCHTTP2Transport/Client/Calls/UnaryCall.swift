import GRPCCore

/// A call with one request message and one response message, answered all at once.
final class UnaryCall: ClientCall, @unchecked Sendable {
  private let message: [UInt8]
  private var continuation: UnsafeContinuation<UnaryOutcome<[UInt8]>, Never>?
  /// The attempts of the call; of one of them, those that it is among.
  private var hedged: HedgedCall<UnaryCall>?
  /// How the call ended before it was begun.
  private var earlyOutcome: UnaryOutcome<[UInt8]>?
  private var responseMetadata: Metadata?
  private var response: [UInt8]?
  private var hasSurplus = false
  /// The request's bytes before any was sent.
  private var queuedBytes = 0

  init(
    channel: Channel, method: MethodDescriptor, options: CallOptions, metadata: Metadata,
    message: [UInt8]
  ) {
    self.message = message
    super.init(channel: channel, method: method, options: options, metadata: metadata)
    outboundEnd = .withData
  }

  /// Makes an attempt of a hedged call, which has the deadline.
  private init(
    of call: UnaryCall, number: Int
  ) {
    message = call.message
    hedged = call.hedged
    super.init(attemptOf: call, number: number)
    _ = rewind()
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
    if case .ended = phase, let earlyOutcome {
      return continuation.resume(returning: earlyOutcome)
    }
    self.continuation = continuation
    do throws(RPCError) {
      try check(size: message.count)
    } catch {
      return fail(error)
    }
    queue(message)
    queuedBytes = outbound.byteCount
    start()
  }

  override func didConfigure() {
    do throws(RPCError) {
      try check(size: message.count)
    } catch {
      fail(error)
    }
  }

  override func enter(_ channel: Channel) {
    // The attempts are made with what the service's configuration says, which may still come.
    guard options.executionPolicy != nil, kind != .attempt, isConfigured,
      let policy = options.executionPolicy?.hedge
    else {
      return super.enter(channel)
    }
    let hedged = HedgedCall(policy, for: self) { [unowned self] number in
      UnaryCall(of: self, number: number)
    } onEnd: { [self] attempt, end in
      self.hedged = nil
      (responseMetadata, response) = (attempt.responseMetadata, attempt.response)
      hasSurplus = attempt.hasSurplus
      self.end(end)
    }
    self.hedged = hedged
    hedged.startNext()
  }

  override func didReceive(metadata: Metadata) {
    responseMetadata = metadata
  }

  override func didReceive(message: [UInt8]) throws(MessageDeframer.Failure) {
    let content = try content(of: message, isCompressed: latestIsCompressed)
    hasSurplus = response != nil
    response = content
  }

  override func didTake(_ count: Int) {
    connection?.consume(count, of: self)
  }

  override func didEnd(_ end: End) {
    let hedged = hedged
    self.hedged = nil
    if kind == .attempt {
      hedged?.attemptDidEnd(self, end)
      return
    }
    if case .failure(let error) = end { hedged?.abandon(error) }
    let outcome = outcome(of: end)
    if let continuation {
      self.continuation = nil
      continuation.resume(returning: outcome)
    } else {
      earlyOutcome = outcome
    }
  }

  private func outcome(of end: End) -> UnaryOutcome<[UInt8]> {
    switch end {
    case .status(let status, let trailers):
      UnaryOutcome(
        metadata: responseMetadata, message: response, hasSurplus: hasSurplus, status: status,
        trailingMetadata: trailers)
    case .failure(let error):
      responseMetadata.map {
        .accepted(.init(metadata: $0, message: .failure(error)))
      } ?? .rejected(error)
    }
  }

  /// A server begins with the message.
  override var hasSentNothing: Bool { outbound.byteCount == queuedBytes }

  override func rewind() -> Bool {
    outbound.removeAll()
    queue(message)
    queuedBytes = outbound.byteCount
    return true
  }
}
