import EventLoop
import Glibc

@testable import GRPCHTTP2Transport

/// A server that allows its one client as much as it likes, and reads none of it before the test wants it to.
///
/// `@unchecked Sendable` holds because the session is used by the one test that reads.
final class DeafServer: Dialer, @unchecked Sendable {
  private let end: SessionEnd
  private let descriptor: Int32
  private let clientDescriptor: Int32

  init() throws {
    let settings = HTTP2Settings(
      initialWindowSize: 16 << 20, maxWindowSize: 16 << 20, connectionWindowSize: 16 << 20)
    end = try SessionEnd(.server, settings)
    var pair: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard socketpair(AF_UNIX, type, 0, &pair) == 0 else { throw SystemError("socketpair") }
    (descriptor, clientDescriptor) = (pair[0], pair[1])
    let output = OutputBuffer(capacity: 64)
    _ = try end.session.produce(into: output)
    send(descriptor, output.bytes.baseAddress, output.count, Int32(MSG_NOSIGNAL))
  }

  deinit {
    close(descriptor)
  }

  func dial(_ address: SocketAddress, on eventLoop: EventLoop) async throws -> Int32 {
    clientDescriptor
  }

  /// A channel to the server.
  func transport() throws -> HTTP2ClientTransport {
    var configuration = HTTP2ClientTransport.Configuration.defaults
    configuration.dialer = self
    return try HTTP2ClientTransport(
      target: .unixDomainSocket(path: "/nowhere"), configuration: configuration)
  }

  /// Returns once so much of a request is written that the socket takes no more.
  static func isFull(_ transport: HTTP2ClientTransport) async {
    while await withCheckedContinuation({ continuation in
      // Whatever a tick has to write is written, or has found no room, at its end.
      transport.channel.tell { channel in
        let ways = channel.endpoints?.flatMap(\.subchannels).map(\.way) ?? []
        continuation.resume(
          returning: ways.allSatisfy { $0.connection?.session.sentData.bytes ?? 0 == 0 })
      }
    }) {}
  }

  /// Sends the client away.
  ///
  /// - Parameter refuses: Whether the calls that are there are not acted on.
  func sayGoAway(refuses: Bool) throws {
    if refuses { end.session.submitGoAway(.noError) } else { end.session.submitShutdownNotice() }
    let output = OutputBuffer(capacity: 64)
    _ = try end.session.produce(into: output)
    send(descriptor, output.bytes.baseAddress, output.count, Int32(MSG_NOSIGNAL))
  }

  /// Returns once the client has closed the connection, of which the server reads nothing.
  func isLeft() async {
    var socket = pollfd(fd: descriptor, events: 0, revents: 0)
    while poll(&socket, 1, 0) == 0, !Task.isCancelled { await Task.yield() }
  }

  /// Reads until the first request's stream has ended.
  func request() async throws -> RecordingStream {
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      if let stream = end.accepted.first, stream.events.last?.hasPrefix("closed") == true {
        return stream
      }
      let count = recv(descriptor, &bytes, bytes.count, 0)
      if count > 0 {
        try bytes[..<count].withUnsafeBytes { try end.session.receive($0) }
      } else if count == 0 || errno != EAGAIN {
        throw SystemError("recv")
      }
      await Task.yield()
    }
  }
}
