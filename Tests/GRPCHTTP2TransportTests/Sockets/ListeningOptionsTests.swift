import CLinux
import EventLoop
import GRPCCore
import Glibc
import KartTesting
import Testing

@testable import GRPCHTTP2Transport

/// Where servers listen, and how.
@Suite(.timeLimit(.minutes(1))) struct ListeningOptionsTests {
  private func call(_ target: String) async throws -> String {
    let transport = try HTTP2ClientTransport(target: target)
    return try await withGRPCClient(transport: transport) { client in
      try await client.unary(
        request: ClientRequest(message: [1]), descriptor: EchoClient.method("Who"),
        serializer: ByteSerializer(), deserializer: ByteDeserializer(), options: .defaults
      ) { String(decoding: try $0.message, as: UTF8.self) }
    }
  }

  @Test func anAbstractSocketServes() async throws {
    let name = "swiftkart-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    try await TestServer.with(.unixAbstract(name: name)) { _, address in
      #expect("\(address)" == "unix-abstract:\(name)")
      let who = try await call("\(address)")
      #expect(who.contains("process(userID: \(getuid())"))
    }
    // It goes with its server, though a process that another test starts holds a copy of the
    // socket for the moment between its birth and its program.
    while true {
      do {
        return try await TestServer.with(.unixAbstract(name: name)) { _, _ in }
      } catch is RuntimeError {
        await Task.yield()
      }
    }
  }

  @Test func severalSocketsServeAtOnce() async throws {
    let folder = TemporaryFolder()
    let transport = HTTP2ServerTransport(listeningOn: [
      .ipv4(host: "127.0.0.1", port: 0), .unixDomainSocket(path: "\(folder.path)/echo.sock"),
      .ipv6(host: "::1", port: 0),
    ])
    async let served: Void = transport.listen(router: EchoServer.router())
    let addresses = try await transport.listeningAddresses
    #expect(addresses.count == 3)
    for address in addresses {
      try await withGRPCClient(transport: HTTP2ClientTransport(target: "\(address)")) { client in
        try await EchoClient(client: client).expectEcho(of: [1, 2, 3])
      }
    }
    transport.beginGracefulShutdown()
    try await served
  }

  @Test(arguments: [false, true]) func oneSocketServesBothFamilies(isIPv6Only: Bool) async throws {
    var configuration = HTTP2ServerTransport.Configuration.defaults
    configuration.listening.isIPv6Only = isIPv6Only
    try await TestServer.with(.ipv6(host: "::", port: 0), configuration) { server, address in
      let port = try #require(address.ipv6?.port)
      let overIPv6 = try await call("ipv6:[::1]:\(port)")
      #expect(overIPv6.hasPrefix("ipv6:[::1]:"))
      if isIPv6Only {
        // Somebody else may have the port in the other family.
        _ = try? await call("ipv4:127.0.0.1:\(port)")
        #expect(await server.transport.channelzServer().calls.started == 1)
      } else {
        let overIPv4 = try await call("ipv4:127.0.0.1:\(port)")
        #expect(overIPv4.hasPrefix("ipv4:127.0.0.1:"))
      }
    }
  }

  @Test func aPortMayBeShared() async throws {
    var configuration = HTTP2ServerTransport.Configuration.defaults
    configuration.listening.reusesPort = true
    try await TestServer.with(.ipv4(host: "127.0.0.1", port: 0), configuration) { _, address in
      try await TestServer.with(address, configuration) { _, second in
        #expect(second == address)
        _ = try await call("\(address)")
      }
      await #expect(throws: RuntimeError.self) {
        try await TestServer.with(address) { _, _ in }
      }
    }
  }

  @Test func aSocketFileHasTheModeAndOwnerThatAreAskedFor() async throws {
    let folder = TemporaryFolder()
    let path = "\(folder.path)/s.sock"
    var configuration = HTTP2ServerTransport.Configuration.defaults
    configuration.listening.unixMode = 0o640
    // Nobody but root may give files away.
    if getuid() == 0 {
      configuration.listening.unixOwner = 12
      configuration.listening.unixGroup = 34
    }
    try await TestServer.with(.unixDomainSocket(path: path), configuration) { _, _ in
      var status = stat()
      #expect(lstat(path, &status) == 0)
      #expect(status.st_mode & 0o777 == 0o640)
      #expect(status.st_uid == (getuid() == 0 ? 12 : getuid()))
      #expect(status.st_gid == (getuid() == 0 ? 34 : getgid()))
    }
  }

  @Test func aReserveOfDescriptorsIsKept() async throws {
    var configuration = HTTP2ServerTransport.Configuration.defaults
    configuration.listening.reservedDescriptors = 1 << 30
    let (shortages, shortage) = AsyncStream.makeStream(of: Void.self)
    configuration.listening.onDescriptorShortage = { shortage.yield() }
    try await TestServer.with(.ipv4(host: "127.0.0.1", port: 0), configuration) { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0])
      #expect(await client.first { _ in true } == nil)
      for await _ in shortages { break }
    }
  }

  @Test func anOwnerThatCannotBeIsAClearError() async throws {
    guard getuid() != 0 else { return }
    let folder = TemporaryFolder()
    var configuration = HTTP2ServerTransport.Configuration.defaults
    configuration.listening.unixOwner = 0
    let path = "\(folder.path)/s.sock"
    let error = await #expect(throws: RuntimeError.self) {
      try await TestServer.with(.unixDomainSocket(path: path), configuration) { _, _ in }
    }
    #expect(error?.description.contains(path) == true)
  }

  @Test(arguments: [
    ("vsock:3:5000", SocketAddress.vsock(contextID: 3, port: 5000)),
    ("vsock::5000", .vsock(contextID: .any, port: 5000)),
    ("vsock:1:4294967295", .vsock(contextID: .local, port: .any)),
    ("unix-abstract:kart", .unixAbstract(name: "kart")),
  ])
  func namesAreReadAndWritten(name: String, address: SocketAddress) throws {
    #expect(try SocketAddress(parsing: name) == address)
    #expect("\(address)" == name)
  }

  @Test(arguments: [
    "vsock:", "vsock:3", "vsock:3:", "vsock:x:1", "vsock:3:-1", "vsock:3:4294967296",
    "vsock:1:2:3", "unix-abstract:",
  ])
  func whatIsNoNameIsAClearError(name: String) {
    let error = #expect(throws: InvalidSocketAddress.self) { try SocketAddress(parsing: name) }
    #expect(error?.description.contains(name) == true)
  }
}
