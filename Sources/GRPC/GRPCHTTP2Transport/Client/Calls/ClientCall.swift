import EventLoop
import GRPCCore

/// One call: from the moment it waits for a connection until it has ended.
///
/// ```
///                 ┌────── picked again: it was not acted on, or is made again as its policy says
///                 ▼     │
///   new ──────▶ waiting ┴──▶ open ──────▶ ended
///    │             │           status, failure, deadline, cancellation
///    └─────────────┴─────────────────────▶
/// ```
///
/// Everything but ``cancel()`` happens on the channel's loop. The properties that every call changes are not checked for
/// exclusive access, which costs as much as the change.
class ClientCall: HTTP2Stream, @unchecked Sendable {
  enum Phase {
    case new
    /// For a connection, or for its turn on one.
    case waiting
    case open
    case ended
  }

  /// For whom a call is made.
  enum Kind {
    case user
    /// As one of several attempts for another call.
    case attempt
    /// For the channel itself.
    case channel
  }

  /// How a call ended.
  enum End {
    /// As the server said.
    case status(Status, trailers: Metadata)
    /// As found on this side.
    case failure(RPCError)
  }

  final let channel: Channel
  final let method: MethodDescriptor
  @exclusivity(unchecked)
  final var options: CallOptions
  @exclusivity(unchecked)
  private(set) final var deadline: ContinuousClock.Instant?
  @exclusivity(unchecked)
  final var metadata: Metadata
  /// How the request's messages are compressed.
  final let encoding: CompressionAlgorithm
  /// Whether the service's configuration is part of the options.
  final var isConfigured = false
  /// Nil if the call is not made again when it has failed.
  @exclusivity(unchecked)
  final var retry: CallRetry?
  /// How often the call was made before, as the server is told.
  final var previousAttempts = 0
  private(set) final var phase = Phase.new
  private(set) final var connection: ClientConnection?
  @exclusivity(unchecked)
  private final var timer: ScheduledTimer?
  @exclusivity(unchecked)
  private(set) final var headers = ResponseHeaders()
  private(set) final var isInBody = false
  /// Whether the call was sent again unseen, which it is once.
  final var isSentAgain = false
  @exclusivity(unchecked)
  final var deframer: MessageDeframer
  /// Who chose the connection and is told of the call's end.
  @exclusivity(unchecked)
  final var trackers: (picker: (any CallTracker)?, observer: (any CallTracker)?) = (nil, nil)
  /// Where the call was sent, until it ends or is taken back.
  @exclusivity(unchecked)
  final var subchannel: Subchannel?
  /// How an attempt has ended whose stream is still to close.
  @exclusivity(unchecked)
  private final var attemptEnd: End?
  /// Whether this side has no more use for the call, which says nothing of the server.
  final var isGivenUp = false
  final let kind: Kind
  /// Nil if the channel's calls are not measured.
  final var measure: CallMeasure?
  /// Nil while the call is not at a server, and if nobody looks at attempts.
  @exclusivity(unchecked)
  final var attempt: CallAttempt?

  /// Makes a call; in a handler its deadline is no later than that of the call being handled. One for the channel
  /// itself has none.
  init(
    channel: Channel, method: MethodDescriptor, options: CallOptions, metadata: Metadata = [:],
    for kind: Kind = .user
  ) {
    self.channel = channel
    self.method = method
    self.metadata = metadata
    self.options = options
    self.kind = kind
    // What the channel does for itself may begin in a handler's task, and lasts.
    let mayHaveDeadline =
      kind != .channel && (options.timeout != nil || ServerContext.current != nil)
    deadline = mayHaveDeadline ? options.deadline(from: .now) : nil
    encoding = options.compression ?? channel.configuration.compression.algorithm
    deframer = MessageDeframer(
      limit: options.maxResponseMessageBytes ?? channel.configuration.maxResponseMessageBytes)
  }

  /// Makes one of several attempts of a call, which keeps the deadline for all. The first has the number 0.
  init(attemptOf call: ClientCall, number: Int) {
    kind = .attempt
    measure = call.measure.map { CallMeasure(attemptOf: $0, number: number) }
    previousAttempts = number
    channel = call.channel
    method = call.method
    metadata = call.metadata
    options = call.options
    deadline = call.deadline
    encoding = call.encoding
    isConfigured = true
    deframer = MessageDeframer(limit: call.deframer.limit)
  }

  final var waitsForReady: Bool { options.waitForReady ?? false }

  // MARK: What the kinds of calls do

  /// The response's metadata came.
  func didReceive(metadata: Metadata) {}

  /// A response message came, as it was sent: its content is ``content(of:isCompressed:)``.
  func didReceive(message: [UInt8]) throws(MessageDeframer.Failure) {}

  /// The call has ended; nothing is called after this.
  func didEnd(_ end: End) {}

  /// Bytes were taken off the wire, after the messages they completed; the stream's flow-control window is to be
  /// given back for them.
  func didTake(_ count: Int) {}

  /// The service's configuration has become part of the options.
  func didConfigure() {}

  /// Asks the channel for a connection, or has others do so.
  func enter(_ channel: Channel) { channel.start(self) }

  /// Whether the server cannot have begun with the call, since nothing of it was written that it begins with.
  var hasSentNothing: Bool { connection?.session.hasSentHeaders(of: self) == false }

  /// Whether all that was written of the request is there still.
  var keepsRequest: Bool { true }

  /// Makes the call ready to be sent again although some of it was sent: the server has not acted on it.
  ///
  /// - Returns: Whether that is possible.
  func rewind() -> Bool { false }

  // MARK: Beginning and ending

  /// Enters the channel. Only on the loop.
  final func start() {
    guard case .new = phase else { return }
    if let flaw = metadata.flaw {
      return fail(RPCError(code: .internalError, message: flaw))
    }
    phase = .waiting
    if kind == .user {
      channel.didBegin(self)
      guard channel.takesCalls else { return fail(.stopped) }
    }
    if !isConfigured, let configs = channel.methodConfigs { configure(configs[method]) }
    guard isWaiting else { return }
    if let deadline {
      guard deadline > .now else { return exceedDeadline() }
      // The service's configuration may have set it.
      if timer == nil { keep(deadline) }
    }
    enter(channel)
  }

  /// Brings the deadline of a call that has begun forward.
  final func moveDeadline(to instant: ContinuousClock.Instant) {
    guard deadline.map({ instant < $0 }) ?? true else { return }
    deadline = instant
    guard instant > .now else { return exceedDeadline() }
    keep(instant)
  }

  /// Has the call end at its deadline.
  private final func keep(_ deadline: ContinuousClock.Instant) {
    // An attempt ends with the call that it is made for.
    guard kind != .attempt else { return }
    timer?.cancel()
    timer = channel.loop.schedule(at: deadline) { [self] in exceedDeadline() }
  }

  final override var receivedCount: Int { deframer.count }

  /// How many bytes of messages came, as they were compressed.
  final var receivedBytes: Int { deframer.byteCount }

  private(set) final var hasEndedWithOK = false

  final override var isCallOK: Bool { hasEndedWithOK }

  final func end(_ end: End) {
    if case .ended = phase { return }
    if case .status(let status, _) = end, status.code == .ok, options.executionPolicy != nil,
      kind == .user
    {
      channel.throttle?.recordSuccess()
    }
    untrack(end)
    endAttempt(end)
    measureEnd(end.code)
    let wasWaiting = isWaiting
    let hasBegun = if case .new = phase { false } else { true }
    phase = .ended
    timer?.cancel()
    timer = nil
    connection = nil
    // While the stream is open, nghttp2 may have a frame of these bytes to write, before which no reset comes.
    if place == nil { outbound.removeAll() }
    if case .status(let status, _) = end { hasEndedWithOK = status.code == .ok }
    if hasBegun, kind == .user { channel.didEnd(self) }
    didEnd(end)
    if wasWaiting { channel.didAbandon(self) }
    if hasBegun, kind == .user { channel.stopIfDrained() }
  }

  /// The request has become a stream of a connection.
  final func didOpen(on connection: ClientConnection) {
    phase = .open
    self.connection = connection
  }

  /// Becomes ready to be made again: its stream is closed.
  final func beginAgain() {
    phase = .waiting
    connection = nil
    isDeferred = false
    isSentAgain = false
    isInBody = false
    headers = ResponseHeaders()
    expectResponse()
  }

  /// Holds the messages of a response that is still to begin to the options' limit.
  final func expectResponse() {
    deframer = MessageDeframer(
      limit: options.maxResponseMessageBytes ?? channel.configuration.maxResponseMessageBytes)
  }

  /// Enters the channel again: the connection it waited on takes no more calls.
  final func startAgain() {
    if isWaiting { channel.pick(for: self) }
  }

  /// Whether the call still waits to be sent.
  final var isWaiting: Bool {
    if case .waiting = phase { true } else { false }
  }

  // MARK: What arrives

  final override func headersDidBegin() {
    headers = ResponseHeaders()
    headers.maxSize = channel.configuration.maxMetadataBytes
  }

  final override func didReceiveHeader(
    name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>
  ) {
    headers.add(name: name, value: value)
  }

  final override func headersDidEnd(endStream: Bool) {
    guard case .open = phase, attemptEnd == nil else { return }
    if headers.isTooLarge {
      failResponse(
        RPCError(
          code: .resourceExhausted,
          message: "The response's header list has more than the \(headers.maxSize) bytes allowed.")
      )
    } else if let key = headers.malformedKey {
      failResponse(
        RPCError(
          code: .internalError,
          message: "The response's metadata “\(key)” is binary, and not in Base64."))
    } else if endStream {
      didReceiveTrailers()
    } else if !headers.isInformational {
      if let failure = headers.failure { return failResponse(failure) }
      let accepted = channel.configuration.compression.enabledAlgorithms
      switch headers.encoding(among: accepted) {
      case .success(.none): break
      case .success(let encoding):
        deframer.decompressor = MessageCodecs.of(channel.loop).decompressor(for: encoding)
      case .failure(let error): return failResponse(error)
      }
      isInBody = true
      // What the user sees of the response cannot be taken back.
      retry = nil
      didReceive(metadata: headers.metadata)
    }
  }

  /// Gives up a response that cannot be read.
  private final func failResponse(_ error: RPCError) {
    connection?.reset(self, .cancel)
    streamWillEnd(.failure(error))
  }

  private final func didReceiveTrailers() {
    if let status = headers.status {
      guard !(status.code == .ok && deframer.isInsideMessage) else { return failInsideMessage() }
      return endByServer(.status(status, trailers: headers.metadata))
    }
    let error =
      isInBody
      ? RPCError(code: .unknown, message: "The response ended without a grpc-status.")
      : headers.failure ?? RPCError(code: .unknown, message: "The response has no grpc-status.")
    endByServer(.failure(error))
  }

  final override func didReceiveData(_ bytes: UnsafeRawBufferPointer) {
    guard case .open = phase, isInBody else { return }
    var rest = bytes
    do throws(MessageDeframer.Failure) {
      while case .open = phase, let message = try deframer.next(from: &rest) {
        try didReceive(message: message)
      }
    } catch {
      fail(RPCError(error))
    }
    didTake(bytes.count)
  }

  final override func didReceiveEnd() {
    guard case .open = phase, attemptEnd == nil else { return }
    guard !deframer.isInsideMessage else { return failInsideMessage() }
    endByServer(
      .failure(RPCError(code: .unknown, message: "The response ended without a grpc-status.")))
  }

  private final func failInsideMessage() {
    fail(RPCError(code: .internalError, message: "The response ended inside a message."))
  }

  /// Ends the call; if our side of the stream is still open it is of no use any more.
  private final func endByServer(_ end: End) {
    if outboundEnd == .open || !outbound.isEmpty { connection?.reset(self, .noError) }
    streamWillEnd(end)
  }

  /// It is known how the call's attempt ends. The call may be made again only when the stream is closed.
  private final func streamWillEnd(_ end: End) {
    if retry != nil, end.code != .ok {
      attemptEnd = end
    } else {
      self.end(end)
    }
  }

  final override func didClose(_ reason: CloseReason) {
    guard case .open = phase else { return outbound.removeAll() }
    if let attemptEnd {
      self.attemptEnd = nil
      return attemptDidEnd(attemptEnd)
    }
    switch reason {
    case .connectionClosed:
      if resend() { return }
      attemptDidEnd(
        .failure(
          connection?.loss
            ?? RPCError(code: .unavailable, message: "The connection was closed.")))
    case .ended(let code):
      if code == .refusedStream, let connection {
        didRefuse(on: connection)
      } else if code == .cancel, let deadline, deadline <= .now {
        // The server's timer was the first to fire.
        exceedDeadline()
      } else {
        attemptDidEnd(.failure(RPCError(streamError: code)))
      }
    }
  }
}

extension RPCError {
  static func cancelled(_ message: String) -> RPCError {
    RPCError(code: .cancelled, message: message)
  }
}
