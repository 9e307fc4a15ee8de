import EventLoop
import GRPCCore
import Glibc

/// A client's connection to a server.
///
/// ```
///   serving ──drain──▶ announcing ──the client has seen it──▶ draining ──last call──▶ closed
///                          └───────────── the limit ─────────────┴──────────────────▶
/// ```
final class ServerConnection: HTTP2Connection, @unchecked Sendable {
  typealias Configuration = HTTP2ServerTransport.Configuration

  private enum Phase {
    case serving
    /// The first GOAWAY is on its way: the client's new calls are still served until it is known
    /// to have seen it.
    case announcing
    /// The second GOAWAY is sent, and names the last call.
    case draining
    case closed
  }

  /// What the PING after the first GOAWAY carries.
  private static let drainPing: UInt64 = 0x6472_6169_6e69_6e67

  let configuration: Configuration
  private let routes: ServerRoutes
  private let onClose: (ServerConnection) -> Void
  private let remotePeer: String
  private let localPeer: String
  private var peer: PeerIdentity?
  private var phase = Phase.serving
  private var drainTimer: ScheduledTimer?
  /// The header block that is arriving; they never overlap on a connection.
  private(set) var head: RequestHead
  private var memo = MetadataMemo()
  /// Handlers that run, also those whose streams are closed: a client that resets its streams at
  /// once must not get more of them than its limit.
  private var runningHandlers = 0

  /// Makes a connection of an accepted descriptor, which it closes if that fails. Only on the loop.
  init(
    descriptor: Int32, remote: SocketAddress?, local: SocketAddress, tls: TLSContextSource?,
    routes: ServerRoutes, configuration: Configuration, on loop: EventLoop,
    onClose: @escaping (ServerConnection) -> Void
  ) throws {
    self.configuration = configuration
    self.routes = routes
    self.onClose = onClose
    remotePeer = remote?.description ?? "unknown"
    localPeer = local.description
    peer = PeerCredentials(of: descriptor).map {
      .process(userID: $0.userID, groupID: $0.groupID, processID: $0.processID)
    }
    head = RequestHead(configuration)
    let session: TLSSession?
    do {
      session = try tls.map { source throws(TLSError) in try TLSSession(source.current()) }
      try super.init(role: .server, settings: configuration.settings, on: loop)
    } catch {
      Glibc.close(descriptor)
      throw error
    }
    try open(adopting: descriptor, tls: session)
  }

  override func didConnect() {
    guard let certificate = channel?.tls?.peerCertificate else { return }
    peer = .certificate(certificate)
  }

  // MARK: Calls

  override func sessionWillOpenStream(_ id: Int32) -> HTTP2Stream? {
    let limit = configuration.maxConcurrentStreams
    guard session.streams.count < limit, runningHandlers < limit else { return nil }
    return ServerCall(connection: self)
  }

  func headDidBegin() {
    head = RequestHead(configuration)
    memo.removeAll()
  }

  func addToHead(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
    if head.add(name: name, value: value, routes: routes) { memo.add(name: name, value: value) }
  }

  func metadataOfHead() -> Metadata {
    memo.metadata()
  }

  func handlerDidStart() {
    runningHandlers += 1
  }

  func handlerDidEnd() {
    runningHandlers -= 1
  }

  func context(
    for call: ServerCall, route: ServerRoute, cancellation: ServerContext.RPCCancellationHandle
  ) -> ServerContext {
    ServerContext(
      descriptor: route.descriptor, remotePeer: remotePeer, localPeer: localPeer,
      cancellation: cancellation, deadline: call.deadline, peer: peer)
  }

  // MARK: The end

  /// Asks the client to open no more calls, and closes when those it has are done, or the limit
  /// is over.
  func drain() {
    guard phase == .serving else { return }
    phase = .announcing
    session.submitShutdownNotice()
    session.submitPing(Self.drainPing)
    setNeedsFlush()
    drainTimer = loop.schedule(after: configuration.maxDrainTime) { self.abandonCalls() }
  }

  /// Ends all calls and closes.
  func abandonCalls() {
    guard phase != .closed else { return }
    for stream in session.streams {
      (stream as? ServerCall)?.finishAndCancel(
        Status(code: .unavailable, message: "The server is shutting down."))
    }
    terminate(.noError)
  }

  override func sessionDidReceivePing(_ payload: UInt64, isAnswer: Bool) {
    guard isAnswer, payload == Self.drainPing, phase == .announcing else { return }
    phase = .draining
    session.submitGoAway(.noError)
    setNeedsFlush()
  }

  override func didClose(_ reason: SocketChannel.CloseReason) {
    phase = .closed
    drainTimer?.cancel()
    onClose(self)
  }
}
