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
  var phase = Phase.receivingHeaders
  private(set) var route: ServerRoute?
  @exclusivity(unchecked)
  private(set) var metadata = Metadata()
  /// Nil if calls are not measured.
  private(set) var measure: ServerCallMeasure?
  /// Ends the call when it has taken too long; nil where it may take any time.
  var deadlineTimer: ScheduledTimer?

  /// Whether the client has ended its side.
  private(set) var requestHasEnded = false
  @exclusivity(unchecked)
  private var deframer: MessageDeframer
  /// How the response's messages may be compressed, and how they are once its headers are there.
  private(set) var acceptedEncodings = CompressionAlgorithmSet.none
  var compressor: MessageCompressor?
  /// The message of a unary call, until its handler has it; as it was sent until the request has ended.
  @exclusivity(unchecked)
  var message: [UInt8]?
  /// The parts of a streaming call.
  @exclusivity(unchecked)
  var inbound: ServerInbound?

  var headersAreSubmitted = false
  /// Whether the status was given, and is OK.
  var hasGivenOK = false
  /// Nil for those that say OK and nothing else.
  var trailers: HeaderList?
  @exclusivity(unchecked)
  var writersWaiting = WritersWaiting()
  let writerIDs = Atomic<Int>(WritersWaiting.ownTaskID)

  /// What the handler runs on, where that has had to wait, and its context; from its start to its end.
  @exclusivity(unchecked)
  var worker: LoopWorker?
  @exclusivity(unchecked)
  var context: ServerContext?
  var handlerIsRunning = false
  /// Why the handler's reads and writes fail, once they do.
  var failure: (any Error)?

  init(connection: ServerConnection) {
    self.connection = connection
    deframer = MessageDeframer(limit: connection.configuration.maxRequestMessageBytes)
  }

  var loop: EventLoop { connection.loop }

  override var receivedCount: Int { deframer.count }

  override var isCallOK: Bool { hasGivenOK && hasEndedInOrder }

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
    requestHasEnded = endStream
    if phase == .receivingHeaders { begin() }
    if endStream { didReceiveEnd() }
  }

  override func didReceiveData(_ bytes: UnsafeRawBufferPointer) {
    guard phase == .collecting || phase == .running else { return }
    var rest = bytes
    do throws(MessageDeframer.Failure) {
      while let message = try deframer.next(from: &rest) {
        didReceive(message, isCompressed: deframer.latestIsCompressed)
      }
    } catch {
      return abandon(Status(error))
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
      return abandon(
        Status(code: .internalError, message: "The request ended inside a message."))
    }
    if let inbound {
      inbound.finish()
    } else if let message {
      if deframer.latestIsCompressed {
        guard let content = content(of: message, isCompressed: true) else { return }
        self.message = content
      }
      runUnary()
    } else {
      finish(
        Status(code: .unimplemented, message: "The request has no message, and needs one."))
    }
  }

  override func outboundDidShrink() {
    if !writersWaiting.isEmpty, outbound.byteCount <= outboundLowMark { writersWaiting.resumeAll() }
  }

  override func submitTrailers() {
    if let trailers {
      connection.session.submitTrailers(self, trailers)
    } else {
      connection.session.submitTrailers(self, ServerAnswer.okTrailers)
    }
    resetOpenRequest()
  }

  override func didClose(_ reason: CloseReason) {
    let mattered = phase != .answered || !writersWaiting.isEmpty
    // The client's timer may be the first, and its reset overtakes our own that is due.
    let isLate = mattered && deadlineTimer.map { $0.deadline <= .now } ?? false
    if isLate, phase != .answered { measure?.code = .deadlineExceeded }
    measure?.end(sent: outbound.sentBytes, received: deframer.byteCount)
    phase = .closed
    dropDeadline()
    outbound.removeAll()
    guard mattered else {
      // The handler may read on after its status.
      inbound?.close()
      return
    }
    let message =
      switch reason {
      case _ where isLate: "The call's deadline was exceeded."
      case .ended: "The client cancelled the call."
      case .connectionClosed: "The connection to the client was lost."
      }
    cancelHandler(RPCError(code: isLate ? .deadlineExceeded : .cancelled, message: message))
  }

  /// Decompresses a message if it was compressed.
  ///
  /// - Returns: Nil if it cannot be decompressed, for which the call has ended then.
  func content(of message: [UInt8], isCompressed: Bool) -> [UInt8]? {
    do throws(MessageDeframer.Failure) {
      return try deframer.content(of: message, isCompressed: isCompressed)
    } catch {
      abandon(Status(error))
      return nil
    }
  }

  private func begin() {
    measure = connection.recorder?.begin(connection.head.route)
    if let refusal = connection.head.refusal {
      return refuse(ServerAnswer.refusal(refusal), refusal.code)
    }
    guard let route = connection.head.route else { return }
    self.route = route
    let malformedKey: String?
    (metadata, malformedKey) = connection.metadataOfHead()
    if let malformedKey {
      let status = Status(
        code: .internalError,
        message: "The metadata “\(malformedKey)” is binary, and not in Base64.")
      return refuse(ServerAnswer.trailersOnly(status), status.code)
    }
    if let timeout = connection.head.timeout { setDeadline(.now + timeout) }
    acceptedEncodings = connection.head.acceptedEncodings
    if connection.head.encoding != .none {
      deframer.decompressor = MessageCodecs.of(loop).decompressor(for: connection.head.encoding)
    }
    switch route.handler {
    case .unary: phase = .collecting
    case .streaming: runStreaming()
    }
  }

  private func didReceive(_ message: [UInt8], isCompressed: Bool) {
    if let inbound {
      inbound.append(message, isCompressed: isCompressed)
    } else if self.message == nil, phase == .collecting {
      self.message = message
    } else {
      finish(
        Status(
          code: .unimplemented, message: "The request has several messages, and needs just one."))
    }
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
    case .tooLargeDecompressed(let limit):
      self.init(
        code: .resourceExhausted,
        message: "A request message has more than the \(limit) bytes allowed, decompressed.")
    case .malformedCompression:
      self.init(code: .internalError, message: "A request message could not be decompressed.")
    }
  }
}
