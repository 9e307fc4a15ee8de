@testable import GRPCHTTP2Transport

/// A stream that writes down what it is told.
final class RecordingStream: HTTP2Stream, @unchecked Sendable {
  var events: [String] = []
  var received: [UInt8] = []
  var trailers = HeaderList()
  weak var session: HTTP2Session?
  private var fields: [String] = []

  override func headersDidBegin() { fields = [] }

  override func didReceiveHeader(
    name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>
  ) {
    fields.append(
      "\(String(decoding: name, as: UTF8.self))=\(String(decoding: value, as: UTF8.self))")
  }

  override func headersDidEnd(endStream: Bool) {
    events.append("headers \(fields.joined(separator: " "))\(endStream ? " end" : "")")
  }

  override func didReceiveData(_ bytes: UnsafeRawBufferPointer) { received += bytes }

  override func didReceiveEnd() { events.append("end") }

  override func submitTrailers() { session?.submitTrailers(self, trailers) }

  override func didClose(_ reason: CloseReason) {
    switch reason {
    case .ended(let code): events.append("closed \(code)")
    case .connectionClosed: events.append("connection closed")
    }
  }
}

/// One end of a ``SessionPair``.
final class SessionEnd: HTTP2SessionDelegate {
  let session: HTTP2Session
  var accepted: [RecordingStream] = []
  var limit = Int.max
  /// Done when the peer says that it will accept no more streams.
  var onGoAway: (() -> Void)?
  var events: [String] = []

  init(
    _ role: HTTP2Session.Role, _ settings: HTTP2Settings,
    now: @escaping () -> ContinuousClock.Instant = { .now }
  ) throws {
    session = try HTTP2Session(role: role, settings: settings, now: now)
    session.delegate = self
  }

  func sessionWillOpenStream(_ id: Int32) -> HTTP2Stream? {
    guard session.streams.count < limit else { return nil }
    let stream = RecordingStream()
    stream.session = session
    accepted.append(stream)
    return stream
  }

  func sessionDidCloseStream(_ stream: HTTP2Stream) { events.append("closed \(stream.id)") }

  func sessionDidRejectFrame() { events.append("rejected") }

  func sessionDidReceiveSettings() { events.append("settings") }

  func sessionDidReceiveGoAway(
    lastStreamID: Int32, code: HTTP2ErrorCode, debugData: UnsafeRawBufferPointer
  ) {
    events.append("goaway \(lastStreamID) \(code)")
    onGoAway?()
  }

  func sessionDidReceivePing(_ payload: UInt64, isAnswer: Bool) {
    events.append("\(isAnswer ? "pong" : "ping") \(payload)")
  }
}

/// A client's and a server's session whose bytes go from one to the other by hand.
struct SessionPair {
  let client: SessionEnd
  let server: SessionEnd

  init(
    client: HTTP2Settings = HTTP2Settings(), server: HTTP2Settings = HTTP2Settings(),
    now: @escaping () -> ContinuousClock.Instant = { .now }
  ) throws {
    self.client = try SessionEnd(.client, client, now: now)
    self.server = try SessionEnd(.server, server, now: now)
  }

  /// Carries bytes both ways until neither has any.
  func exchange() throws {
    while try carry(from: client, to: server) || carry(from: server, to: client) {}
  }

  func request() -> RecordingStream {
    let stream = RecordingStream()
    stream.session = client.session
    return stream
  }

  static func requestHeaders(_ path: String = "/a.B/C") -> HeaderList {
    var headers = HeaderList()
    headers.append(":method", "POST")
    headers.append(":scheme", "http")
    headers.append(":path", path.utf8)
    headers.append(":authority", "localhost")
    return headers
  }

  private func carry(from: SessionEnd, to: SessionEnd) throws -> Bool {
    var hasCarried = false
    var mayHaveMore = true
    while mayHaveMore {
      let output = OutputBuffer(capacity: 64)
      mayHaveMore = try from.session.produce(into: output)
      if output.count > 0 {
        try to.session.receive(UnsafeRawBufferPointer(output.bytes))
        hasCarried = true
      }
    }
    return hasCarried
  }
}
