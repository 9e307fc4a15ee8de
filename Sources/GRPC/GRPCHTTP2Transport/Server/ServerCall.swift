import EventLoop
import GRPCCore
import Synchronization

/// One call of a server: a stream from its first header to its close.
///
/// ```
///                          request complete           handler is done,
///                unary ┌─▶ collecting ─┐              deadline, too much
///   receivingHeaders ──┤               ├─▶ running ──▶ answered ──▶ closed
///         │  streaming └───────────────┘                  ▲           ▲
///         └──────────────── refused ──────────────────────┘           │
///     anywhere: the client resets it, or the connection is lost ──────┘
/// ```
///
/// Everything happens on the connection's loop.
final class ServerCall: HTTP2Stream, @unchecked Sendable {
  enum Phase {
    case receivingHeaders
    /// A unary call's message arrives.
    case collecting
    /// The handler runs, and what it does counts.
    case running
    /// The status is given; the handler may still run, but nobody listens any more.
    case answered
    case closed
  }

  let connection: ServerConnection
  private(set) var phase = Phase.receivingHeaders
  private(set) var route: ServerRoute?
  private(set) var metadata = Metadata()
  private(set) var deadline: ContinuousClock.Instant?
  private var deadlineTimer: ScheduledTimer?
  /// Whether the client has ended its side.
  private(set) var requestHasEnded = false
  private var deframer: MessageDeframer
  /// The message of a unary call.
  private var message: [UInt8]?
  private var headersAreSubmitted = false
  private var trailers = ServerAnswer.okTrailers
  /// The handler's task, from its start to its end.
  private var task: Task<Void, Never>?
  private var handlerIsRunning = false
  private var cancellation: ServerContext.RPCCancellationHandle?
  /// The parts of a streaming call.
  private(set) var inbound: ServerInbound?
  var writersWaiting = WritersWaiting()
  let writerIDs = Atomic<Int>(0)
  /// Why the handler's reads and writes fail, once they do.
  private(set) var failure: RPCError?

  init(connection: ServerConnection) {
    self.connection = connection
    deframer = MessageDeframer(limit: connection.configuration.maxRequestMessageBytes)
  }

  var loop: EventLoop { connection.loop }

  // MARK: What arrives

  override func headersDidBegin() {
    if phase == .receivingHeaders { connection.headDidBegin() }
  }

  override func didReceiveHeader(
    name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>
  ) {
    // A request's trailers have no meaning in gRPC.
    if phase == .receivingHeaders { connection.addToHead(name: name, value: value) }
  }

  override func headersDidEnd(endStream: Bool) {
    if phase == .receivingHeaders { begin(endStream: endStream) }
    if endStream { didReceiveEnd() }
  }

  override func didReceiveData(_ bytes: UnsafeRawBufferPointer) {
    guard phase == .collecting || phase == .running else { return }
    var rest = bytes
    do throws(MessageDeframer.Failure) {
      while let message = try deframer.next(from: &rest) { didReceive(message) }
    } catch {
      return finishAndCancel(Status(error))
    }
    if let inbound {
      inbound.didTake(bytes.count)
    } else {
      connection.session.consume(bytes.count, on: self)
    }
  }

  override func didReceiveEnd() {
    requestHasEnded = true
    guard phase == .collecting || phase == .running else { return }
    guard !deframer.isInsideMessage else {
      return finishAndCancel(
        Status(code: .internalError, message: "The request ended inside a message."))
    }
    if let inbound {
      inbound.finish()
    } else if message != nil {
      runUnary()
    } else {
      finish(
        Status(code: .unimplemented, message: "The request has no message, and needs one."))
    }
  }

  override func didClose(_ reason: CloseReason) {
    let wasRunning = phase != .answered
    phase = .closed
    deadlineTimer?.cancel()
    deadlineTimer = nil
    outbound.removeAll()
    guard wasRunning || !writersWaiting.isEmpty else { return }
    let message =
      switch reason {
      case .ended: "The client cancelled the call."
      case .connectionClosed: "The connection to the client was lost."
      }
    cancelHandler(RPCError(code: .cancelled, message: message))
  }

  private func begin(endStream: Bool) {
    if let refusal = connection.head.refusal {
      return refuse(ServerAnswer.refusal(refusal), endStream: endStream)
    }
    guard let route = connection.head.route else { return }
    self.route = route
    metadata = connection.metadataOfHead()
    if let timeout = connection.head.timeout { setDeadline(.now + timeout) }
    switch route.handler {
    case .unary: phase = .collecting
    case .streaming: runStreaming()
    }
  }

  private func didReceive(_ message: [UInt8]) {
    if let inbound {
      inbound.append(message)
    } else if self.message == nil {
      self.message = message
    } else {
      finish(
        Status(
          code: .unimplemented, message: "The request has several messages, and needs just one."))
    }
  }

  // MARK: The handler

  private func runUnary() {
    phase = .running
    handlerIsRunning = true
    connection.handlerDidStart()
    cancellation = ServerContext.RPCCancellationHandle()
    let task = loop.startTask { await self.handleUnary() }
    if handlerIsRunning { self.task = task }
  }

  private func handleUnary() async {
    guard let route, case .unary(let handler) = route.handler, let message, let cancellation else {
      return
    }
    self.message = nil
    let context = connection.context(for: self, route: route, cancellation: cancellation)
    let reply = await ServerContext.$current.withValue(context) {
      await handler(metadata, message, context)
    }
    if loop.inEventLoop {
      handlerDidEnd(reply)
    } else {
      loop.execute { self.handlerDidEnd(reply) }
    }
  }

  private func runStreaming() {
    phase = .running
    let inbound = ServerInbound(call: self)
    self.inbound = inbound
    inbound.append(metadata)
    handlerIsRunning = true
    connection.handlerDidStart()
    cancellation = ServerContext.RPCCancellationHandle()
    let task = loop.startTask { await self.handleStreaming() }
    if handlerIsRunning { self.task = task }
  }

  private func handleStreaming() async {
    guard let route, case .streaming(let handler) = route.handler, let inbound, let cancellation
    else { return }
    let stream = RPCStream(
      descriptor: route.descriptor, inbound: ServerInbound.Stream(source: inbound),
      outbound: ServerOutbound.Stream(wrapping: ServerOutbound(call: self)))
    let context = connection.context(for: self, route: route, cancellation: cancellation)
    await ServerContext.$current.withValue(context) {
      await handler(stream, context)
    }
    onLoop {
      self.finish(
        Status(code: .internalError, message: "The handler has ended without a status."))
      self.handlerDidEnd()
    }
  }

  private func handlerDidEnd(_ reply: UnaryReply<[UInt8]>) {
    finish(reply)
    handlerDidEnd()
  }

  private func handlerDidEnd() {
    task = nil
    handlerIsRunning = false
    connection.handlerDidEnd()
  }

  /// A handler's task resumes on its loop; only a loop that was shut down meanwhile makes this
  /// a hop.
  func onLoop(_ body: @escaping @Sendable () -> Void) {
    if loop.inEventLoop { body() } else { loop.execute(body) }
  }

  // MARK: The answer

  private func refuse(_ answer: HeaderList, endStream: Bool) {
    phase = .answered
    requestHasEnded = endStream
    connection.session.submitTrailersOnly(self, answer)
    resetOpenRequest()
  }

  private func finish(_ reply: UnaryReply<[UInt8]>) {
    guard phase == .running else { return }
    guard let message = reply.message, reply.status.code == .ok else {
      if !reply.metadata.isEmpty { submitHeaders(reply.metadata) }
      return finish(reply.status, reply.trailingMetadata)
    }
    outbound.append(message)
    outboundEnd = .withTrailers
    didFinish(reply.status, reply.trailingMetadata)
    headersAreSubmitted = true
    connection.session.submitResponse(self, ServerAnswer.headers(reply.metadata))
    connection.setNeedsFlush()
  }

  /// Gives the status, after which nothing of the handler counts any more.
  func finish(_ status: Status, _ metadata: Metadata = [:]) {
    guard phase != .answered, phase != .closed else { return }
    if headersAreSubmitted {
      didFinish(status, metadata)
      outboundEnd = .withTrailers
      connection.session.resume(self)
    } else {
      phase = .answered
      deadlineTimer?.cancel()
      connection.session.submitTrailersOnly(self, ServerAnswer.trailersOnly(status, metadata))
      resetOpenRequest()
    }
    connection.setNeedsFlush()
  }

  private func didFinish(_ status: Status, _ metadata: Metadata) {
    phase = .answered
    deadlineTimer?.cancel()
    deadlineTimer = nil
    trailers = ServerAnswer.trailers(status, metadata)
  }

  override func submitTrailers() {
    connection.session.submitTrailers(self, trailers)
    resetOpenRequest()
  }

  /// What more the client would send is of no use once the answer is complete.
  private func resetOpenRequest() {
    if !requestHasEnded { connection.session.reset(self, .noError) }
  }

  // MARK: Messages of a streaming call

  func submitHeaders(_ metadata: Metadata) {
    guard phase == .running, !headersAreSubmitted else { return }
    headersAreSubmitted = true
    connection.session.submitResponse(self, ServerAnswer.headers(metadata))
    connection.setNeedsFlush()
  }

  /// Queues a message; the response's headers go before the first.
  func send(_ message: [UInt8]) {
    if !headersAreSubmitted { submitHeaders([:]) }
    outbound.append(message)
    connection.session.resume(self)
    connection.setNeedsFlush()
  }

  override func outboundDidShrink() {
    if !writersWaiting.isEmpty,
      outbound.byteCount <= connection.configuration.maxBufferedResponseBytes / 2
    {
      writersWaiting.resumeAll()
    }
  }

  // MARK: Deadline and cancellation

  private func setDeadline(_ deadline: ContinuousClock.Instant) {
    self.deadline = deadline
    deadlineTimer = loop.schedule(at: deadline) {
      self.finishAndCancel(
        Status(code: .deadlineExceeded, message: "The call's deadline was exceeded."))
    }
  }

  /// Ends the call over the handler's head.
  func finishAndCancel(_ status: Status) {
    if outbound.isEmpty {
      finish(status)
    } else {
      // The client has not taken what is queued already, and would not see the status behind it.
      phase = .answered
      deadlineTimer?.cancel()
      connection.session.reset(self, .cancel)
      connection.setNeedsFlush()
    }
    cancelHandler(
      RPCError(code: RPCError.Code(rawValue: status.code.rawValue), message: status.message))
  }

  private func cancelHandler(_ error: RPCError) {
    if failure == nil { failure = error }
    inbound?.fail(error)
    writersWaiting.failAll(error)
    cancellation?.cancel()
    task?.cancel()
  }
}

extension Status {
  fileprivate init(_ failure: MessageDeframer.Failure) {
    switch failure {
    case .malformedPrefix(let flag):
      self.init(
        code: .internalError, message: "A message begins with \(flag), and should with 0 or 1.")
    case .unexpectedCompression:
      self.init(
        code: .internalError,
        message: "A message is compressed, and the request names no grpc-encoding.")
    case .tooLarge(let size, let limit):
      self.init(
        code: .resourceExhausted,
        message: "A request message has \(size) bytes, and \(limit) are allowed.")
    }
  }
}
