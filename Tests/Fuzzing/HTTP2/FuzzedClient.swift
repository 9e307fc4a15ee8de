import CLinux
import EventLoop
import GRPCCore
import GRPCHTTP2Transport
import Glibc

/// A client that makes one call, whose answer is the input.
final class FuzzedClient: Sendable {
  /// A call that was not handled may be sent again on another connection, but not for ever.
  private static let connections = 3

  private let loops = EventLoopGroup(count: 1, name: "fuzzed")

  func run(_ peer: PeerBytes) {
    let (listener, name) = Self.listen()
    defer { close(listener) }
    var configuration = HTTP2ClientTransport.Configuration()
    configuration.backoff = ConnectionBackoff(
      initial: .milliseconds(1), maximum: .milliseconds(1), jitter: 0)
    let transport: HTTP2ClientTransport
    do {
      transport = try HTTP2ClientTransport(
        target: "unix-abstract:\(name)", configuration: configuration, eventLoops: loops)
    } catch {
      fatalError("\(error)")
    }
    let done = Signal()
    let isStreaming = peer.isStreaming
    Task {
      async let connection: Void? = try? transport.connect()
      await Self.call(transport, isStreaming: isStreaming)
      transport.beginGracefulShutdown()
      await connection
      done.send()
    }
    var count = 0
    while done.wait(orForClientOf: listener) {
      let descriptor = accept4(listener, nil, nil, Int32(SOCK_CLOEXEC.rawValue))
      count += 1
      if count <= Self.connections {
        PeerSocket(descriptor: descriptor, loop: loops.loops[0]).play(peer)
      } else {
        close(descriptor)
      }
    }
  }

  private static func call(_ transport: HTTP2ClientTransport, isStreaming: Bool) async {
    let method = MethodDescriptor(fullyQualifiedService: "fuzz.Service", method: "Method")
    guard isStreaming else {
      _ = await transport.unary(
        descriptor: method, options: .defaults, metadata: [:], message: [1, 2, 3])
      return
    }
    try? await transport.withStream(descriptor: method, options: .defaults) { stream, _ in
      try await stream.outbound.write(.metadata([:]))
      try await stream.outbound.write(.message([1, 2, 3]))
      await stream.outbound.finish()
      for try await _ in stream.inbound {}
    }
  }

  /// A socket of an unused name in the abstract namespace.
  private static func listen() -> (descriptor: Int32, name: String) {
    let descriptor = socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    // The kernel chooses a name for an address of the family alone.
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var size = socklen_t(MemoryLayout<sa_family_t>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard bind(descriptor, address, size) == 0 else { return false }
        size = socklen_t(MemoryLayout<sockaddr_un>.size)
        return getsockname(descriptor, address, &size) == 0 && Glibc.listen(descriptor, 8) == 0
      }
    }
    guard isBound else { fatalError("bind: error \(errno)") }
    let name = withUnsafeBytes(of: address.sun_path) { bytes in
      String(
        decoding: bytes[1..<(Int(size) - MemoryLayout<sa_family_t>.size)], as: UTF8.self)
    }
    return (descriptor, name)
  }
}
