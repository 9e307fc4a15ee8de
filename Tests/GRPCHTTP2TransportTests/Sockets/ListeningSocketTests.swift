import EventLoop
import GRPCCore
import Glibc
import KartTesting
import Testing

@testable import GRPCHTTP2Transport

/// Servers whose sockets others bind, remove or leave behind.
@Suite struct ListeningSocketTests {
  private func withServer(
    _ transport: HTTP2ServerTransport, _ body: (SocketAddress) async throws -> Void
  ) async throws {
    var router = RPCRouter<HTTP2ServerTransport>()
    router.registerUnaryHandler(
      forMethod: EchoClient.method("Unary"), deserializer: ByteDeserializer(),
      serializer: ByteSerializer()
    ) { request, _ in ServerResponse(message: request.message) }
    let served = router
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await transport.listen(router: served) }
      try await body(try await transport.listeningAddress)
      transport.beginGracefulShutdown()
      try await group.waitForAll()
    }
  }

  private func echo(_ message: [UInt8], at address: SocketAddress) async throws -> [UInt8] {
    try await withGRPCClient(transport: HTTP2ClientTransport(target: "\(address)")) { client in
      var options = CallOptions.defaults
      options.waitForReady = true
      return try await EchoClient(client: client).echo(message, options: options)
    }
  }

  /// A socket as a service manager binds it.
  private func boundSocket(_ address: SocketAddress) throws -> Int32 {
    let storage = try SocketAddressStorage(address)
    let descriptor = socket(storage.family, Int32(SOCK_STREAM.rawValue), 0)
    guard storage.withSockaddr({ bind(descriptor, $0, $1) }) == 0, listen(descriptor, 16) == 0
    else {
      throw SystemError("bind", "\(address)")
    }
    return descriptor
  }

  @Test func anAdoptedSocketIsServedAndItsFileStays() async throws {
    let folder = TemporaryFolder()
    let unix = SocketAddress.unixDomainSocket(path: "\(folder.path)/adopted.sock")
    let tcp = SocketAddress.ipv4(host: "127.0.0.1", port: 0)
    let transport = HTTP2ServerTransport(
      listeningOn: [], adopting: [try boundSocket(unix), try boundSocket(tcp)])
    try await withServer(transport) { _ in
      let addresses = try await transport.listeningAddresses
      #expect(addresses.first == unix && addresses.count == 2)
      for address in addresses {
        let answer = try await echo([7], at: address)
        #expect(answer == [7])
      }
    }
    #expect(SocketFolder(path: folder.path).endpoints().count == 1)
  }

  @Test func whatIsNoListeningSocketIsNotAdopted() async throws {
    var pipe: (Int32, Int32) = (0, 0)
    withUnsafeMutableBytes(of: &pipe) { _ = Glibc.pipe($0.bindMemory(to: Int32.self).baseAddress) }
    let unbound = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    for descriptor in [pipe.0, unbound, 9999] {
      let transport = HTTP2ServerTransport(listeningOn: [], adopting: [descriptor])
      let error = await #expect(throws: RuntimeError.self) {
        try await transport.listen(router: RPCRouter<HTTP2ServerTransport>())
      }
      #expect(error?.description.contains("descriptor \(descriptor)") == true)
    }
    for descriptor in [pipe.0, pipe.1, unbound] { close(descriptor) }
  }

  @Test func anAddressThatCannotBeBoundIsSaidOnce() async throws {
    // An address that documentation uses, and no machine has.
    let transport = HTTP2ServerTransport(listeningOn: .ipv4(host: "192.0.2.1", port: 9))
    let error = await #expect(throws: RuntimeError.self) {
      try await transport.listen(router: RPCRouter<HTTP2ServerTransport>())
    }
    let words = try #require(error).description
    #expect(words.split(separator: "192.0.2.1:9", omittingEmptySubsequences: false).count == 2)
  }

  @Test func aSocketWhoseFileIsRemovedComesBack() async throws {
    let folder = TemporaryFolder()
    let path = "\(folder.path)/x.sock"
    let transport = HTTP2ServerTransport(listeningOn: .unixDomainSocket(path: path))
    try await withServer(transport) { address in
      try await withGRPCClient(transport: HTTP2ClientTransport(target: "\(address)")) { client in
        let connected = EchoClient(client: client)
        for round in UInt8(0)..<3 {
          let before = try await connected.echo([round])
          #expect(before == [round])
          unlink(path)
          // Waits until a new client finds it.
          let after = try await echo([round], at: address)
          #expect(after == [round])
        }
      }
    }
    #expect(SocketFolder(path: folder.path).endpoints().isEmpty)
  }

  @Test func aPathThatAnotherHasTakenIsLeftToIt() async throws {
    let folder = TemporaryFolder()
    let path = "\(folder.path)/x.sock"
    let transport = HTTP2ServerTransport(listeningOn: .unixDomainSocket(path: path))
    try await withServer(transport) { address in
      TemporaryFolder.makeSocket(path)
      let other = try #require(SocketFileIdentity(path: path))
      // The server watches on the same loop, so it has seen before what is seen here.
      let loop = EventLoopGroup.shared.loops[0]
      await withCheckedContinuation { seen in
        loop.execute {
          var watch: FolderWatch?
          watch = FolderWatch(path: folder.path, file: "y.sock", loop: loop) {
            watch?.stop()
            watch = nil
            seen.resume()
          }
          TemporaryFolder.makeSocket("\(folder.path)/y.sock")
        }
      }
      #expect(SocketFileIdentity(path: path) == other)
    }
    #expect(SocketFolder(path: folder.path).endpoints().count == 2)
  }

  @Test func aFolderIsMadeAndRidOfWhatTheDeadHaveLeft() async throws {
    let parent = TemporaryFolder()
    let folder = UnixSocketFolder(path: "\(parent.path)/trackers")
    try folder.prepare()
    let dead = try #require(folder.socket(named: "dead").unixDomainSocket?.path)
    TemporaryFolder.makeSocket(dead)
    close(open("\(folder.path)/.dead.sock.lock", O_CREAT | O_RDWR, 0o600))
    let foreign = try #require(folder.socket(named: "foreign").unixDomainSocket?.path)
    TemporaryFolder.makeSocket(foreign)

    let transport = HTTP2ServerTransport(listeningOn: folder.socket(named: "alive"))
    try await withServer(transport) { address in
      try folder.prepare()
      let paths = SocketFolder(path: folder.path).endpoints().flatMap(\.addresses)
      #expect(paths == [address, .unixDomainSocket(path: foreign)])
    }
    #expect(throws: SystemError.self) {
      try UnixSocketFolder(path: "\(parent.path)/none/trackers").prepare()
    }
  }

  /// Accepts connections after having failed to.
  ///
  /// `@unchecked Sendable` holds because everything is touched on the loop alone.
  private final class Accepting: @unchecked Sendable {
    var attempts = 0
    var shortages = 0
    let failures: Int
    let code: Int32

    init(failures: Int, code: Int32) {
      self.failures = failures
      self.code = code
    }

    func accept(_ descriptor: Int32) -> (descriptor: Int32, peer: SocketAddress?) {
      attempts += 1
      guard attempts > failures else {
        errno = code
        return (-1, nil)
      }
      return ListeningSocket.acceptNext(descriptor)
    }
  }

  @Test(arguments: [(EMFILE, 2, 1), (ENFILE, 2, 1), (ECONNABORTED, 2, 0), (EPERM, 200, 0)])
  func whoCouldNotBeAcceptedIsLater(code: Int32, failures: Int, shortages: Int) async throws {
    let loop = EventLoop(name: "accept")
    let accepting = Accepting(failures: failures, code: code)
    var options = ListeningOptions()
    options.onDescriptorShortage = { accepting.shortages += 1 }
    let listener = try ListeningSocket(
      .ipv4(host: "127.0.0.1", port: 0), options: options, on: loop, accept: accepting.accept)
    let client = try WireClient(to: listener.address, on: loop)
    await withCheckedContinuation { accepted in
      loop.execute {
        try? listener.start { descriptor, _ in
          close(descriptor)
          accepted.resume()
        }
      }
    }
    #expect(await client.first { _ in true } == nil)
    await withCheckedContinuation { closed in
      loop.execute {
        #expect(accepting.shortages == shortages)
        listener.close()
        closed.resume()
      }
    }
    await loop.shutdown()
  }

  @Test(arguments: [EINVAL, EBADF])
  func aSocketThatListensNoMoreIsLeftAlone(code: Int32) async throws {
    let loop = EventLoop(name: "accept")
    let accepting = Accepting(failures: .max, code: code)
    let listener = try ListeningSocket(
      .ipv4(host: "127.0.0.1", port: 0), on: loop, accept: accepting.accept)
    let client = try WireClient(to: listener.address, on: loop)
    // The loop looks at its descriptors between one and the next.
    for turn in 0...10 {
      await withCheckedContinuation { done in
        loop.execute {
          if turn == 0 { try? listener.start { _, _ in } }
          if turn == 10 { listener.close() }
          done.resume()
        }
      }
    }
    #expect(accepting.attempts == 1)
    client.close()
    await loop.shutdown()
  }

  @Test func anErrorThatStaysDoesNotKeepItFromClosing() async throws {
    let loop = EventLoop(name: "accept")
    let accepting = Accepting(failures: .max, code: EPERM)
    let listener = try ListeningSocket(
      .ipv4(host: "127.0.0.1", port: 0), on: loop, accept: accepting.accept)
    await withCheckedContinuation { closed in
      loop.execute {
        try? listener.start { _, _ in }
        listener.close()
        closed.resume()
      }
    }
    await loop.shutdown()
  }
}
