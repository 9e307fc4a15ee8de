import EventLoop
import GRPCCore
import Glibc

/// A client's connection to a server.
///
/// ```
///   serving ──drain──▶ announcing ──the client has seen it,──▶ draining ──last call──▶ closed
///      │                   │         or has had time to           │                      ▲
///      └─── abandonCalls ──┴───────────── the limit ──────────────┴──▶ ending ──flushed──┤
///   anywhere: the client floods the server or keeps it waiting ──▶ expelled ──flushed───┘
/// ```
final class ServerConnection: HTTP2Connection, KeepaliveConnection, @unchecked Sendable {
  typealias Configuration = HTTP2ServerTransport.Configuration

  enum Phase: Int, Comparable {
    case serving
    /// The first GOAWAY is on its way: the client's new calls are still served until it is known
    /// to have seen it, or has had the time.
    case announcing
    /// The second GOAWAY is sent, and names the last call.
    case draining
    /// Every call has its status, and the connection closes when the client has been sent them.
    case ending
    /// The client has done what it must not, and nothing of it counts any more.
    case expelled
    case closed

    static func < (left: Phase, right: Phase) -> Bool { left.rawValue < right.rawValue }
  }

  let configuration: Configuration
  /// Whether the client has not come by itself, and could not come back.
  let isAdopted: Bool
  private let routes: ServerRoutes
  /// Nil if calls are not measured.
  let recorder: ServerMetricsRecorder?
  let onClose: (ServerConnection) -> Void
  private let remotePeer: String
  private let localPeer: String
  private var peer: PeerIdentity?
  /// Made with the first call, when the client's certificate is known.
  private lazy var contextOfCalls = ServerContext.Connection(
    remotePeer: remotePeer, localPeer: localPeer, peer: peer)
  var phase = Phase.serving
  /// Ends the phase that the connection is in, if nothing else does.
  var phaseTimer: ScheduledTimer?
  /// Ends the announcement of the connection's end, if its client does not.
  var announcementTimer: ScheduledTimer?
  /// What watches over the client; see `ServerConnection+Limits.swift`.
  @exclusivity(unchecked)
  var limits: Limits
  /// The header block that is arriving; they never overlap on a connection.
  @exclusivity(unchecked)
  private(set) var head: RequestHead
  @exclusivity(unchecked)
  private var memo = MetadataMemo()
  /// Handlers that run, also those whose streams are closed: a client that resets its streams at
  /// once must not get more of them than its limit.
  private var runningHandlers = 0

  /// Makes a connection of an accepted descriptor, which it closes if that fails. Only on the loop.
  init(
    descriptor: Int32, remote: SocketAddress?, local: SocketAddress, tls: TLSContextSource?,
    routes: ServerRoutes, configuration: Configuration, isAdopted: Bool = false,
    recorder: ServerMetricsRecorder? = nil, on loop: EventLoop,
    onClose: @escaping (ServerConnection) -> Void
  ) throws {
    self.configuration = configuration
    self.isAdopted = isAdopted
    self.routes = routes
    self.recorder = recorder
    self.onClose = onClose
    remotePeer = remote?.description ?? "unknown"
    localPeer = local.description
    if let virtual = remote?.virtualSocket {
      peer = .virtualMachine(contextID: virtual.contextID.rawValue)
    } else {
      peer = PeerCredentials(of: descriptor).map {
        .process(userID: $0.userID, groupID: $0.groupID, processID: $0.processID)
      }
    }
    head = RequestHead(configuration)
    limits = Limits(configuration)
    let session: TLSSession?
    do {
      session = try tls.map { source throws(TLSError) in try TLSSession(source.current()) }
      try super.init(role: .server, settings: configuration.settings, on: loop)
    } catch {
      Glibc.close(descriptor)
      throw error
    }
    startLimits()
    do {
      try open(adopting: descriptor, tls: session)
    } catch {
      stopLimits()
      throw error
    }
  }

  override func didConnect() {
    guard let certificate = channel?.tls?.peerCertificate else { return }
    peer = .certificate(certificate)
  }

  // MARK: Calls

  override func sessionWillOpenStream(_ id: Int32) -> HTTP2Stream? {
    let limit = configuration.maxConcurrentStreams
    guard session.streams.count < limit else {
      didExceedStreamLimit()
      return nil
    }
    // The last call is named before the client is sent that name.
    guard phase < .draining, runningHandlers < limit else { return nil }
    statistics.streamDidOpen()
    return ServerCall(connection: self)
  }

  /// The connection as channelz shows it, and its calls.
  func channelz() -> (socket: ChannelzSocket, calls: ChannelzCounts) {
    (channelzSocket(local: localPeer, remote: remotePeer), statistics.calls)
  }

  func headDidBegin() {
    callDidBegin()
    head.reset()
    memo.removeAll()
  }

  func addToHead(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
    if head.add(name: name, value: value, routes: routes) { memo.add(name: name, value: value) }
  }

  func metadataOfHead() -> (metadata: Metadata, malformedKey: String?) {
    memo.metadata()
  }

  func handlerDidStart() {
    runningHandlers += 1
  }

  func handlerDidEnd() {
    runningHandlers -= 1
  }

  func context(for call: ServerCall, route: ServerRoute) -> ServerContext {
    ServerContext(
      descriptor: route.descriptor, connection: contextOfCalls,
      deadline: call.deadlineTimer?.deadline,
      onCancel: { call.cancelByHandler() })
  }

  // MARK: The end

  override func sessionDidCloseStream(_ stream: HTTP2Stream) {
    statistics.streamDidClose(stream)
    guard session.streams.isEmpty else { return }
    if phase == .ending { terminate(.noError) } else { didBecomeIdle() }
  }

  override func didClose(_ reason: SocketChannel.CloseReason) {
    phase = .closed
    phaseTimer?.cancel()
    announcementTimer?.cancel()
    stopLimits()
    onClose(self)
  }

  // MARK: What the client does besides

  override func didReceive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    inspect(bytes)
  }

  override func didTakeBytes() {
    checkQueue()
  }

  override func sessionDidReceiveSettings() {
    handshakeDidEnd()
  }

  override func sessionDidRejectFrame() {
    didProvokeReset()
  }

  override func sessionDidReceivePing(_ payload: UInt64, isAnswer: Bool) {
    if isAnswer { didReceiveAnswer(toPing: payload) } else { didReceivePing() }
  }
}
