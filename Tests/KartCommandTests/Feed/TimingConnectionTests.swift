import CLinux
import EventLoop
import Glibc
import Testing

@testable import KartCommand

struct TimingConnectionTests {
  /// A listening socket of which the kernel completes the connections.
  private struct Listener: ~Copyable {
    let descriptor: Int32
    let endpoint: TimingEndpoint

    init() throws {
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var name = sockaddr_in()
      name.sin_family = sa_family_t(AF_INET)
      name.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let descriptor = descriptor
      withUnsafeMutablePointer(to: &name) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          _ = bind(descriptor, $0, size)
          listen(descriptor, 8)
          getsockname(descriptor, $0, &size)
        }
      }
      endpoint = try #require(
        TimingEndpoint("127.0.0.1:\(UInt16(bigEndian: name.sin_port))"))
    }

    deinit { close(descriptor) }

    func accept() -> Int32 {
      Glibc.accept(descriptor, nil, nil)
    }
  }

  private func send(_ text: String, to socket: Int32) {
    Glibc.send(socket, text, text.utf8.count, 0)
  }

  @Test func readsWhatComesUntilTheEnd() async throws {
    let listener = try Listener()
    let loop = EventLoop()
    let connection = TimingConnection(loop: loop)
    try await connection.connect(to: listener.endpoint)
    let peer = listener.accept()
    send("$F,1", to: peer)
    #expect(try await connection.read() == Array("$F,1".utf8))
    async let next = connection.read()
    send("\r\n", to: peer)
    #expect(try await next == Array("\r\n".utf8))
    close(peer)
    #expect(try await connection.read() == [])
    await connection.close()
    await loop.shutdown()
  }

  @Test func givesUpOnSilence() async throws {
    let listener = try Listener()
    let loop = EventLoop()
    let connection = TimingConnection(loop: loop, patience: .milliseconds(5))
    try await connection.connect(to: listener.endpoint)
    let error = await #expect(throws: SystemError.self) { try await connection.read() }
    #expect(error?.code == ETIMEDOUT)
    await connection.close()
    await loop.shutdown()
  }

  @Test func endsWithItsTask() async throws {
    let listener = try Listener()
    let loop = EventLoop()
    let connection = TimingConnection(loop: loop)
    try await connection.connect(to: listener.endpoint)
    let reader = Task { try await connection.read() }
    reader.cancel()
    await #expect(throws: CancellationError.self) { try await reader.value }
    await connection.close()
    await loop.shutdown()
  }

  @Test func endsWithItsTaskThoughThereIsMoreToRead() async throws {
    let listener = try Listener()
    let loop = EventLoop()
    let connection = TimingConnection(loop: loop)
    try await connection.connect(to: listener.endpoint)
    let peer = listener.accept()
    send("$F,1\r\n$F,1\r\n", to: peer)
    let reader = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await connection.read()
    }
    await #expect(throws: CancellationError.self) { try await reader.value }
    close(peer)
    await connection.close()
    await loop.shutdown()
  }

  @Test func saysWhoRefuses() async throws {
    let endpoint = try Listener().endpoint
    let loop = EventLoop()
    let connection = TimingConnection(loop: loop)
    let error = await #expect(throws: SystemError.self) {
      try await connection.connect(to: endpoint)
    }
    #expect(error?.code == ECONNREFUSED)
    #expect(error?.description.contains("\(endpoint)") == true)
    await loop.shutdown()
  }

  @Test func saysWhichHostIsUnknown() async throws {
    let loop = EventLoop()
    let connection = TimingConnection(loop: loop)
    let endpoint = try #require(TimingEndpoint("no such host:1"))
    let error = await #expect(throws: TimingConnection.UnknownHost.self) {
      try await connection.connect(to: endpoint)
    }
    #expect(error?.description.hasPrefix("no such host has no address") == true)
    await loop.shutdown()
  }
}
