import EventLoop

@testable import GRPCHTTP2Transport

/// A client's connection that sends whatever header blocks and bytes a test wants.
final class RawClient: HTTP2Connection, @unchecked Sendable {
  /// What came back for one stream.
  struct Answer: Sendable {
    var headers: [String: String] = [:]
    var data: [UInt8] = []
    var code: HTTP2ErrorCode?
  }

  /// Connects on a loop. Only on the loop.
  init(to address: SocketAddress, on loop: EventLoop) throws {
    try super.init(role: .client, settings: HTTP2Settings(), on: loop)
    try open(connectingTo: address)
  }

  /// Sends a request and waits until its stream is closed.
  static func call(
    _ address: SocketAddress, on loop: EventLoop, path: String = "/test.Echo/Unary",
    method: String = "POST", contentType: String = "application/grpc",
    fields: [String: String] = [:], body: [UInt8] = [0, 0, 0, 0, 1, 7]
  ) async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
      loop.execute {
        do {
          let client = try RawClient(to: address, on: loop)
          var headers = HeaderList()
          headers.append(":method", method.utf8)
          headers.append(":scheme", "http")
          headers.append(":path", path.utf8)
          headers.append(":authority", "localhost")
          headers.append("content-type", contentType.utf8)
          headers.append("te", "trailers")
          for (name, value) in fields { headers.append(name.utf8, value.utf8) }
          let stream = RawStream(body) { answer in
            client.close()
            continuation.resume(returning: answer)
          }
          try client.session.submitRequest(stream, headers, endStream: body.isEmpty)
          client.setNeedsFlush()
        } catch {
          continuation.resume(throwing: error)
        }
      }
    }
  }
}

/// One of a ``RawClient``'s streams: sends a body byte for byte and gathers the answer.
private final class RawStream: HTTP2Stream, @unchecked Sendable {
  private var answer = RawClient.Answer()
  private let onClose: (RawClient.Answer) -> Void

  init(_ body: [UInt8], onClose: @escaping (RawClient.Answer) -> Void) {
    self.onClose = onClose
    super.init()
    // The queue puts a prefix before each message, so the body comes without its own.
    if body.count >= OutboundMessages.prefixSize {
      outbound.append(Array(body.dropFirst(OutboundMessages.prefixSize)))
    }
    outboundEnd = .withData
  }

  override func didReceiveHeader(
    name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>
  ) {
    answer.headers[String(decoding: name, as: UTF8.self)] = String(decoding: value, as: UTF8.self)
  }

  override func didReceiveData(_ bytes: UnsafeRawBufferPointer) { answer.data += bytes }

  override func didClose(_ reason: CloseReason) {
    if case .ended(let code) = reason { answer.code = code }
    onClose(answer)
  }
}
