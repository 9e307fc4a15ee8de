import CNghttp2
import EventLoop
import Glibc

@testable import GRPCHTTP2Transport

/// A server that does to its clients exactly what a test says, right or wrong.
///
/// `@unchecked Sendable` holds because all mutable state is touched on the loop alone.
final class ScriptedServer: @unchecked Sendable {
  typealias Handler = @Sendable (ScriptedStream) -> Void

  let loop = EventLoopGroup.shared.next()
  let address: SocketAddress
  /// How each stream was closed, in their order: an error code, or `connection`.
  let closes: AsyncStream<String>
  fileprivate let closesContinuation: AsyncStream<String>.Continuation
  fileprivate let settings: HTTP2Settings
  private let tls: TLSContext?
  var handler: Handler
  private let listener: ListeningSocket
  private var isDead = false
  private(set) var connections: [ScriptedConnection] = []
  /// How many streams were open at most.
  fileprivate(set) var mostStreams = 0

  /// Starts to serve.
  ///
  /// - Parameter handler: Called on the loop when a request's headers are there.
  init(
    _ address: SocketAddress, settings: HTTP2Settings = HTTP2Settings(), tls: TLSContext? = nil,
    handler: @escaping Handler = { $0.onEnd = { $0.echo() } }
  ) throws {
    self.settings = settings
    self.tls = tls
    self.handler = handler
    (closes, closesContinuation) = AsyncStream.makeStream()
    listener = try ListeningSocket(address, on: loop)
    self.address = listener.address
    loop.execute { [self] in
      try? listener.start { [weak self] descriptor, _ in self?.accept(descriptor) }
    }
  }

  /// Serves a connected socket.
  func accept(_ descriptor: Int32) {
    guard let connection = try? ScriptedConnection(self) else { return }
    try? connection.open(adopting: descriptor, tls: tls.map { try TLSSession($0) })
    connections.append(connection)
  }

  /// Does something on the loop.
  func onLoop<Result: Sendable>(
    _ body: @escaping @Sendable (ScriptedServer) -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      loop.execute { continuation.resume(returning: body(self)) }
    }
  }

  /// Ends as a process does that is killed: without a word.
  func kill() async {
    await onLoop { server in
      guard !server.isDead else { return }
      server.isDead = true
      server.listener.close()
      for connection in server.connections { connection.close() }
      server.connections = []
    }
  }

  /// Tells every client that it will serve no new calls.
  func goAway() async {
    await onLoop { server in
      for connection in server.connections {
        connection.session.submitGoAway(.noError)
        connection.setNeedsFlush()
      }
    }
  }
}

final class ScriptedConnection: HTTP2Connection, @unchecked Sendable {
  private unowned let server: ScriptedServer

  fileprivate init(_ server: ScriptedServer) throws {
    self.server = server
    try super.init(role: .server, settings: server.settings, on: server.loop)
  }

  override func sessionWillOpenStream(_ id: Int32) -> HTTP2Stream? {
    server.mostStreams = max(server.mostStreams, session.streams.count + 1)
    return ScriptedStream(server, self)
  }

  /// Sends the client away, and says that no call of its was acted on.
  func disown() {
    nghttp2_submit_goaway(session.raw, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, 0, nil, 0)
    setNeedsFlush()
  }
}

/// One request, and what is answered.
final class ScriptedStream: HTTP2Stream, @unchecked Sendable {
  let server: ScriptedServer
  let connection: ScriptedConnection
  private(set) var headers: [String: String] = [:]
  /// The request's bytes, messages and their prefixes.
  private(set) var received: [UInt8] = []
  /// Called when the request has ended.
  var onEnd: (@Sendable (ScriptedStream) -> Void)?
  /// Called when data came.
  var onData: (@Sendable (ScriptedStream) -> Void)?
  /// Whether data is given back to the client's flow-control window.
  var consumes = true
  /// Bytes that are not given back.
  private(set) var held = 0
  private var trailers = HeaderList()

  fileprivate init(_ server: ScriptedServer, _ connection: ScriptedConnection) {
    self.server = server
    self.connection = connection
  }

  /// The request's one message.
  var message: [UInt8] { Array(received.dropFirst(5)) }

  /// Answers with any number of messages and trailers.
  func respond(
    headers: [(String, String)] = ScriptedStream.usualHeaders, messages: [[UInt8]] = [],
    trailers: [(String, String)]? = [("grpc-status", "0")]
  ) {
    for message in messages { outbound.append(message) }
    if let trailers {
      self.trailers = Self.list(trailers)
      outboundEnd = .withTrailers
    } else {
      outboundEnd = .withData
    }
    connection.session.submitResponse(self, Self.list(headers))
    connection.setNeedsFlush()
  }

  static let usualHeaders = [(":status", "200"), ("content-type", "application/grpc")]

  /// Headers of a response whose messages are compressed.
  static let gzipHeaders = usualHeaders + [("grpc-encoding", "gzip")]

  /// Answers with headers before the real ones.
  func interim(_ headers: [(String, String)]) {
    _ = Self.list(headers).withFields { fields, count in
      nghttp2_submit_headers(
        connection.session.raw, UInt8(NGHTTP2_FLAG_NONE.rawValue), id, nil, fields, count, nil)
    }
    connection.setNeedsFlush()
  }

  /// Answers with headers and leaves the response open.
  func begin() {
    connection.session.submitResponse(self, Self.list(Self.usualHeaders))
    connection.setNeedsFlush()
  }

  /// Adds a message to an open response.
  func send(_ message: [UInt8]) {
    outbound.append(message)
    connection.session.resume(self)
    connection.setNeedsFlush()
  }

  /// Ends an open response.
  func finish(_ trailers: [(String, String)] = [("grpc-status", "0")]) {
    self.trailers = Self.list(trailers)
    outboundEnd = .withTrailers
    connection.session.resume(self)
    connection.setNeedsFlush()
  }

  /// Answers with headers alone.
  func refuse(_ headers: [(String, String)]) {
    connection.session.submitTrailersOnly(self, Self.list(headers))
    connection.setNeedsFlush()
  }

  func reset(_ code: HTTP2ErrorCode) {
    connection.session.reset(self, code)
    connection.setNeedsFlush()
  }

  /// Answers with the request's message.
  func echo() {
    respond(messages: [message])
  }

  private static func list(_ fields: [(String, String)]) -> HeaderList {
    var list = HeaderList()
    for (name, value) in fields { list.append(name.utf8, value.utf8) }
    return list
  }

  override func didReceiveHeader(
    name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>
  ) {
    headers[String(decoding: name, as: UTF8.self)] = String(decoding: value, as: UTF8.self)
  }

  override func headersDidEnd(endStream: Bool) {
    server.handler(self)
    if endStream { onEnd?(self) }
  }

  override func didReceiveData(_ bytes: UnsafeRawBufferPointer) {
    received += bytes
    if consumes {
      connection.session.consume(bytes.count, on: self)
    } else {
      held += bytes.count
    }
    onData?(self)
  }

  /// Takes the first message off what was received, which must be one.
  func takeMessage() -> [UInt8] {
    defer { received = [] }
    return message
  }

  /// Gives everything back to the client's flow-control window, now and from now on.
  func consumeAll() {
    consumes = true
    connection.session.consume(held, on: self)
    connection.setNeedsFlush()
  }

  override func didReceiveEnd() {
    onEnd?(self)
  }

  override func submitTrailers() {
    connection.session.submitTrailers(self, trailers)
  }

  override func didClose(_ reason: CloseReason) {
    switch reason {
    case .ended(let code): server.closesContinuation.yield("\(code)")
    case .connectionClosed: server.closesContinuation.yield("connection")
    }
  }
}
