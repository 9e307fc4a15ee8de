import CNghttp2
import EventLoop
import GRPCCore
import Glibc

/// Is told of a connection's life, on its loop.
protocol ClientConnectionDelegate: AnyObject {
  /// The server's settings came: calls can be sent.
  func connectionIsReady(_ connection: ClientConnection)

  /// The connection takes no more calls; those it has go on.
  func connectionIsLeaving(_ connection: ClientConnection)

  /// The server has sent the connection away for the PINGs of its keepalive.
  func connectionAsksTooOften(_ connection: ClientConnection)

  /// The connection is over; see ``ClientConnection/loss``.
  func connectionDidClose(_ connection: ClientConnection)
}

/// A client's connection to one address.
///
/// ```
///   connecting ──▶ waiting for settings ──▶ ready ──▶ leaving ──▶ closed
///       │                   │                 │  GOAWAY, released    ▲
///       └───────────────────┴─────────────────┴──────────────────────┘ failed, lost
/// ```
final class ClientConnection: HTTP2Connection, KeepaliveConnection, @unchecked Sendable {
  /// So many calls are written even if others are about to follow.
  private static let callsPerWrite: Int64 = 16
  /// How long calls that were refused wait for others to end.
  private static let longestWaitForRoom = Duration.seconds(1)

  enum State {
    case connecting
    case waitingForSettings
    case ready
    case leaving
    case closed
  }

  private(set) var state = State.connecting
  /// Why the connection was lost, once it was.
  private(set) var loss: RPCError?
  /// The same, or why it takes no more calls, for who counts.
  private(set) var disconnectError = DisconnectError.unknown
  /// Held until the connection is over. A weak reference would make every count of references to it slow.
  private var delegate: (any ClientConnectionDelegate)?
  private let address: SocketAddress
  private let connectTimeout: Duration
  private let security: ClientSecurity?
  private let authority: String
  private let dialer: (any Dialer)?
  private var dialing: Task<Void, Never>?
  private var connectTimer: ScheduledTimer?
  private var keepalive: KeepaliveTimer?
  @exclusivity(unchecked)
  private var requestHeaders: RequestHeaders
  /// Whether the server has said that it takes no more calls.
  private(set) var hasReceivedGoAway = false
  /// What the server has said in a GOAWAY that was no usual one.
  private var farewell: String?
  /// Whether the server has said that it is asked too often; it may say so again and again.
  private var hasComplained = false
  /// How many calls to have on their way at once, no more than the server allows; others wait.
  private var maxStreams = 0
  private var allowedStreams = 0
  /// The call whose stream was refused and is about to be closed.
  private var refused: ClientCall?
  /// Runs while calls that were refused wait for others to end.
  private var roomTimer: ScheduledTimer?
  /// Whether a call has ended since the timer was started.
  private var hasMadeRoom = true
  @exclusivity(unchecked)
  private var waiting = WaitingCalls()

  init(
    to address: SocketAddress, authority: String, security: ClientSecurity?,
    configuration: HTTP2ClientTransport.Configuration, keepalive: Keepalive?, on loop: EventLoop,
    delegate: any ClientConnectionDelegate
  ) throws(HTTP2SessionError) {
    self.address = address
    self.authority = authority
    self.security = security
    dialer = configuration.dialer
    self.delegate = delegate
    connectTimeout = configuration.connectTimeout
    requestHeaders = RequestHeaders(
      authority: authority, isSecure: security != nil,
      acceptedEncodings: configuration.compression.enabledAlgorithms)
    var settings = HTTP2Settings()
    settings.initialWindowSize = configuration.initialWindowBytes
    settings.maxWindowSize = configuration.maxWindowBytes
    settings.connectionWindowSize = configuration.connectionWindowBytes
    settings.maxHeaderListSize = configuration.maxMetadataBytes
    try super.init(role: .client, settings: settings, on: loop)
    if let keepalive {
      self.keepalive = KeepaliveTimer(keepalive, on: loop, of: self)
    }
  }

  /// Starts to connect. The delegate may be told of a failure before this returns.
  func start() {
    connectTimer = loop.schedule(after: connectTimeout) { [self] in
      lose("the server did not answer within \(connectTimeout)")
    }
    if let dialer {
      dialing = dial(address, by: dialer)
      return
    }
    do {
      try open(connectingTo: address, tls: makeTLS())
    } catch {
      lose("\(error)")
    }
  }

  /// Goes on with a connected socket that a dialer has made.
  func open(adopting descriptor: Int32) throws {
    let tls: TLSSession?
    do throws(TLSError) {
      tls = try makeTLS()
    } catch {
      Glibc.close(descriptor)
      throw error
    }
    try open(adopting: descriptor, tls: tls)
    // With TLS it is only when both have shaken hands.
    if tls == nil { didConnect() }
  }

  private func makeTLS() throws(TLSError) -> TLSSession? {
    try security?.session(authority: authority, address: address)
  }

  /// Sends no more calls and closes when those it has sent are over; others find another connection.
  func leave() {
    finish()
    var calls = waiting.takeAll()
    while let call = calls.popFirst() { call.startAgain() }
    closeIfUnused()
  }

  /// Takes no more calls, and closes when those it has are over.
  func finish() {
    switch state {
    case .connecting, .waitingForSettings:
      lose("it is not needed")
    case .ready:
      state = .leaving
      delegate?.connectionIsLeaving(self)
      closeIfUnused()
    case .leaving, .closed:
      break
    }
  }

  /// Ends the calls of one of the channels that share the connection.
  func fail(callsOf channel: Channel, _ error: RPCError) {
    for case let call as ClientCall in session.streams where call.channel === channel {
      call.fail(error)
    }
    var calls = waiting.takeAll()
    while let call = calls.popFirst() {
      if call.channel === channel { call.fail(error) } else { waiting.append(call) }
    }
  }

  /// Closes at once; the calls fail.
  func lose(_ reason: String) {
    end(reason)
    close()
  }

  /// Closes at once, since the server has not answered for too long.
  func giveUp(_ reason: String) {
    disconnectError = .timedOut
    lose(reason)
  }

  private func end(_ reason: String?) {
    if case .closed = state { return }
    if let reason {
      loss = RPCError(
        code: .unavailable, message: "The connection to \(address) failed: \(reason).")
    }
    state = .closed
    connectTimer?.cancel()
    roomTimer?.cancel()
    dialing?.cancel()
    keepalive?.stop()
    let delegate = delegate
    self.delegate = nil
    delegate?.connectionDidClose(self)
    var calls = waiting.takeAll()
    while let call = calls.popFirst() { call.startAgain() }
  }

  private func closeIfUnused() {
    guard case .leaving = state, waiting.isEmpty else { return }
    // What is left to write has no room where the server does not read, and is of calls that are over.
    if session.streams.allSatisfy({ ($0 as? ClientCall)?.phase == .ended }) {
      channel?.limitFlushing()
    }
    guard session.streams.isEmpty else { return }
    terminate(.noError)
    // Nothing that matters is on its way any more, so nobody waits for the socket to close.
    end(nil)
  }

  // MARK: Calls

  /// Whether the connection has calls, in which case a silent server matters.
  var isBusy: Bool { !session.streams.isEmpty }

  /// Sends a call, or has it wait for its turn if the server has as many as it wants.
  func send(_ call: ClientCall) {
    guard case .ready = state else { return call.startAgain() }
    if session.streams.count < maxStreams {
      open(call)
    } else {
      waiting.append(call)
    }
  }

  /// Whether there are calls that can end and so make room for others. Watches last, and so may calls that were waited
  /// for in vain.
  var isCrowded: Bool {
    state == .ready && (hasMadeRoom || roomTimer != nil)
      && session.streams.contains { ($0 as? ClientCall)?.kind != .channel }
  }

  /// Sends a call again that was refused.
  ///
  /// Some servers refuse calls although their limit is kept, for as long as they are clearing up after others.
  /// So fewer are sent from now on, and one more for each that ends; or all, if none does for a while.
  func sendAgain(_ call: ClientCall) {
    refused = call
    guard isCrowded else { return call.startAgain() }
    maxStreams = session.streams.count
    waiting.append(call)
    if roomTimer == nil { awaitRoom() }
  }

  private func awaitRoom() {
    hasMadeRoom = false
    roomTimer = loop.schedule(after: Self.longestWaitForRoom) { [self] in
      roomTimer = nil
      if hasMadeRoom, !waiting.isEmpty { return awaitRoom() }
      maxStreams = allowedStreams
      openWaiting()
    }
  }

  private func open(_ call: ClientCall) {
    let timeout = call.deadline.map { ContinuousClock.now.duration(to: $0) }
    let metadata = call.beginAttempt(at: address)
    if call.attempt != nil, let flaw = metadata.flaw {
      return call.fail(RPCError(code: .internalError, message: flaw))
    }
    let headers = requestHeaders.block(
      for: call.method, metadata: metadata, encoding: call.encoding, timeout: timeout,
      previousAttempts: call.previousAttempts)
    // What is not metadata is small.
    if !metadata.isEmpty, headers.size > session.maxSendHeaderListSize {
      return call.fail(
        RPCError(
          code: .resourceExhausted,
          message: "The request's header list has \(headers.size) bytes, and the server takes "
            + "\(session.maxSendHeaderListSize)."))
    }
    do throws(HTTP2SessionError) {
      try session.submitRequest(call, headers, endStream: false)
    } catch {
      // The numbers of streams are used up: another connection has to go on.
      call.endAttempt(.failure(.notActedOn))
      leave()
      return call.startAgain()
    }
    statistics.streamDidOpen()
    call.didOpen(on: self)
    keepalive?.start()
    setNeedsFlush()
    if statistics.streams.started % Self.callsPerWrite == 0 { loop.endTickEarly() }
  }

  /// Sends what was added to a call, or the end of it.
  func resume(_ call: ClientCall) {
    session.resume(call)
    setNeedsFlush()
  }

  /// Gives bytes back to a call's flow-control window.
  func consume(_ count: Int, of call: ClientCall) {
    session.consume(count, on: call)
    setNeedsFlush()
  }

  /// Ends a call's stream from this side.
  func reset(_ call: ClientCall, _ code: HTTP2ErrorCode) {
    session.reset(call, code)
    setNeedsFlush()
    // The call ends next, and may be the last.
    if case .leaving = state { loop.execute { self.closeIfUnused() } }
  }

  /// Asks the server for a sign of life.
  func ask() {
    statistics.keepAlivesSent += 1
    session.submitPing(0)
    setNeedsFlush()
  }

  private func openWaiting() {
    while session.streams.count < maxStreams, let call = waiting.popFirst() {
      open(call)
    }
  }

  // MARK: What the session and the socket report

  override func didConnect() {
    if case .connecting = state { state = .waitingForSettings }
  }

  override func didReceive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    keepalive?.didReceive()
    return true
  }

  override func sessionDidReceiveSettings() {
    allowedStreams = Int(
      nghttp2_session_get_remote_settings(
        session.raw, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS))
    maxStreams = allowedStreams
    guard case .waitingForSettings = state else { return openWaiting() }
    state = .ready
    connectTimer?.cancel()
    keepalive?.start()
    delegate?.connectionIsReady(self)
  }

  override func sessionDidReceiveGoAway(
    lastStreamID: Int32, code: HTTP2ErrorCode, debugData: UnsafeRawBufferPointer
  ) {
    let words = String(decoding: debugData, as: UTF8.self)
    hasReceivedGoAway = true
    disconnectError = .goAway(code)
    // The words may come in one of several GOAWAY frames.
    if code != .noError, farewell == nil || !words.isEmpty {
      farewell = "it sent GOAWAY with \(code)\(words.isEmpty ? "" : " (\(words))")"
    }
    if code == .enhanceYourCalm, words == "too_many_pings", !hasComplained {
      hasComplained = true
      delegate?.connectionAsksTooOften(self)
    }
    if case .waitingForSettings = state {
      return lose("the server sent GOAWAY with \(code)")
    }
    leave()
  }

  override func sessionDidCloseStream(_ stream: HTTP2Stream) {
    statistics.streamDidClose(stream)
    // One that was refused has made no room: those that all are would be sent again for ever.
    if stream !== refused {
      maxStreams = min(maxStreams + 1, allowedStreams)
      hasMadeRoom = true
    }
    refused = nil
    openWaiting()
    closeIfUnused()
  }

  override func didClose(_ reason: SocketChannel.CloseReason) {
    if disconnectError == .unknown { disconnectError = DisconnectError(reason) }
    switch reason {
    // Whoever closes it on purpose before has said why.
    case .closedLocally where state == .waitingForSettings:
      end("what answers there does not speak HTTP/2")
    case .closedLocally: end("it was closed")
    case .closedByPeer: end("the server closed it\(farewell.map { ": \($0)" } ?? "")")
    case .failed(let error): end("\(error)")
    case .insecure(let error): end("\(error)")
    }
  }
}
