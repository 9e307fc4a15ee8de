import EventLoop
import GRPCCore
import Glibc
import KartTesting
import Testing

@testable import GRPCHTTP2Transport

/// Calls over TLS, between our client and our server.
@Suite(.timeLimit(.minutes(1))) struct TLSTransportTests {
  private let authority = TestAuthority()
  private let folder = TemporaryFolder()

  private func server(
    _ identity: TestAuthority.Identity? = nil
  ) -> HTTP2ServerTransport.TransportSecurity {
    let identity = identity ?? authority.issue("server")
    return .tls(certificateChain: identity.chain, privateKey: identity.privateKey)
  }

  private var client: HTTP2ClientTransport.TransportSecurity {
    .tls { $0.trustRoots = authority.trust }
  }

  private func withClient<Result: Sendable>(
    _ address: SocketAddress, _ security: HTTP2ClientTransport.TransportSecurity,
    _ body: (EchoClient, HTTP2ClientTransport) async throws -> Result
  ) async throws -> Result {
    var configuration = HTTP2ClientTransport.Configuration.defaults
    configuration.backoff = ConnectionBackoff(
      initial: .milliseconds(10), maximum: .milliseconds(50))
    let transport = try HTTP2ClientTransport(
      target: "\(address)", transportSecurity: security, configuration: configuration)
    return try await withGRPCClient(transport: transport) {
      try await body(EchoClient(client: $0), transport)
    }
  }

  private func failure(
    _ address: SocketAddress, _ security: HTTP2ClientTransport.TransportSecurity
  ) async throws -> RPCError? {
    try await withClient(address, security) { echo, _ in
      let response = try await echo.unary([1])
      return #expect(throws: RPCError.self) { try response.message }
    }
  }

  @Test func callsOfAllSizes() async throws {
    try await EchoServer.with(security: server()) { address in
      try await withClient(address, client) { echo, _ in
        for size in [0, 1, 5000, 16_384, 100_000, 3 << 20] {
          let message = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
          let response = try await echo.echo(message)
          #expect(response == message)
        }
        let messages = (0..<2000).map { [UInt8](repeating: UInt8($0 % 251), count: $0) }
        let received = try await echo.bidirectional {
          for message in messages { try await $0.write(message) }
        } _: { response in
          var received: [[UInt8]] = []
          for try await message in response.messages { received.append(message) }
          return received
        }
        #expect(received == messages)
      }
    }
  }

  @Test func callsAreMadeByHTTPS() async throws {
    let server = try ScriptedServer(
      .unixDomainSocket(path: "\(folder.path)/s.sock"),
      tls: try TLSContext.server(authority.issue("server"))
    ) {
      $0.onEnd = { $0.respond(messages: [Array("\($0.headers[":scheme"] ?? "")".utf8)]) }
    }
    try await withClient(server.address, client) { echo, _ in
      // The authority, and so the name that is verified, is localhost.
      let scheme = try await echo.echo([])
      #expect(scheme == Array("https".utf8))
    }
    await server.kill()
  }

  @Test func clientsShowWhoTheyAre() async throws {
    let identity = authority.issue("server")
    let security = HTTP2ServerTransport.TransportSecurity.mTLS(
      certificateChain: identity.chain, privateKey: identity.privateKey
    ) { $0.trustRoots = authority.trust }
    try await EchoServer.with(security: security) { address in
      let known = authority.issue("tracker")
      let mutual = HTTP2ClientTransport.TransportSecurity.mTLS(
        certificateChain: known.chain, privateKey: known.privateKey
      ) { $0.trustRoots = authority.trust }
      try await withClient(address, mutual) { echo, _ in
        let response = try await echo.unary([1])
        #expect(Array(response.metadata[stringValues: "peer"]) == ["CN=tracker"])
      }
      let unknown = try await failure(address, client)
      #expect(unknown?.code == .unavailable)
    }
  }

  @Test func aServerWithAnotherNameIsNotTrusted() async throws {
    let identity = authority.issue("server", names: "DNS:kart.example")
    try await EchoServer.with(security: server(identity)) { address in
      let error = try await failure(address, client)
      #expect(error?.code == .unavailable)
      #expect(error?.message.contains("is not accepted: IP address mismatch") == true)
      let named = HTTP2ClientTransport.TransportSecurity.tls {
        $0.trustRoots = authority.trust
        $0.serverName = "kart.example"
      }
      try await withClient(address, named) { echo, _ in
        try await echo.expectEcho(of: [1])
      }
    }
  }

  @Test func plaintextAndTLSDoNotUnderstandEachOther() async throws {
    try await EchoServer.with(security: server()) { address in
      let failure = try await failure(address, .plaintext)
      #expect(failure?.code == .unavailable)
      // And the server still serves others.
      try await withClient(address, client) { echo, _ in
        try await echo.expectEcho(of: [1])
      }
    }
    try await EchoServer.with { address in
      let failure = try await failure(address, client)
      #expect(failure?.code == .unavailable)
    }
  }

  @Test func aBadCertificateIsAnErrorAtStart() async throws {
    let other = authority.issue("other")
    let identity = authority.issue("server")
    let mixed = HTTP2ServerTransport.TransportSecurity.tls(
      certificateChain: identity.chain, privateKey: other.privateKey)
    let transport = HTTP2ServerTransport(
      listeningOn: .ipv4(host: "127.0.0.1", port: 0), transportSecurity: mixed)
    let error = await #expect(throws: RuntimeError.self) {
      try await transport.listen(router: EchoServer.router())
    }
    #expect(
      error?.message
        == "The server's TLS cannot be used: the key in the private key does not belong to the "
        + "certificate in the certificate.")
    let absent = HTTP2ClientTransport.TransportSecurity.tls {
      $0.trustRoots = .certificates([.file(path: "\(folder.path)/absent.pem")])
    }
    let second = #expect(throws: RuntimeError.self) {
      try HTTP2ClientTransport(target: "localhost:443", transportSecurity: absent)
    }
    #expect(
      second?.message
        == "The client's TLS cannot be used: \(folder.path)/absent.pem cannot be read: "
        + "No such file or directory.")
  }

  @Test func certificatesAreReplacedUnderOpenConnections() async throws {
    authority.issue("first").write(to: folder.path)
    let security = HTTP2ServerTransport.TransportSecurity.tls(
      certificateChain: [.file(path: "\(folder.path)/cert.pem")],
      privateKey: .file(path: "\(folder.path)/key.pem"))
    let successor = TestAuthority("Successor")
    try await EchoServer.with(security: security) { address in
      try await withClient(address, client) { old, transport in
        try await old.expectEcho(of: [1])
        successor.issue("second").write(to: folder.path)
        // A new connection meets the new certificate, which the old authority has not signed.
        let failure = try await failure(address, client)
        #expect(failure?.code == .unavailable)
        let renewed = HTTP2ClientTransport.TransportSecurity.tls {
          $0.trustRoots = successor.trust
        }
        try await withClient(address, renewed) { echo, _ in
          try await echo.expectEcho(of: [2])
        }
        // The old connection goes on.
        try await old.expectEcho(of: [3])
        var states = transport.connectivityStates.makeAsyncIterator()
        #expect(await states.next() == .ready)
      }
    }
  }

  @Test func aHandshakeThatStallsIsGivenUp() async throws {
    let loop = EventLoopGroup.shared.next()
    let listener = try ListeningSocket(.ipv4(host: "127.0.0.1", port: 0), on: loop)
    loop.execute { try? listener.start { _, _ in } }
    var configuration = HTTP2ClientTransport.Configuration.defaults
    configuration.connectTimeout = .milliseconds(20)
    let transport = try HTTP2ClientTransport(
      target: "\(listener.address)", transportSecurity: client, configuration: configuration)
    try await withGRPCClient(transport: transport) { client in
      let response = try await EchoClient(client: client).unary([1])
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.message.contains("did not answer within") == true)
    }
    loop.execute { listener.close() }
  }
}
