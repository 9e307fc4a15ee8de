import COpenSSL
import Testing

@testable import GRPCHTTP2Transport

/// Handshakes that succeed and those that must not.
@Suite struct TLSSessionTests {
  private let authority = TestAuthority()

  @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
  func bytesGoBothWays(version: Int32) throws {
    let pair = try TLSPair(
      client: .client(trusting: authority).restricted(to: version),
      server: .server(authority.issue("server")))
    try pair.handshake()
    #expect(pair.client.version == (version == TLS1_2_VERSION ? "TLSv1.2" : "TLSv1.3"))
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
    #expect(try pair.send(bytes, from: pair.client, to: pair.server) == bytes)
    #expect(try pair.send(bytes, from: pair.server, to: pair.client) == bytes)
    #expect(try pair.send([], from: pair.server, to: pair.client) == [])
  }

  @Test func olderVersionsAreRefused() throws {
    let server = try TLSContext.server(authority.issue("server"))
    let pair = try TLSPair(
      client: .client(trusting: authority).restricted(to: TLS1_1_VERSION), server: server)
    #expect(throws: TLSError.self) { try pair.handshake() }
  }

  @Test(arguments: [
    ("localhost", true), ("127.0.0.1", true), ("kart.example", false), ("127.0.0.2", false),
    ("a.b.example", true), ("x.a.b.example", false), ("::1", true),
  ])
  func theServersNameIsVerified(name: String, isAccepted: Bool) throws {
    let identity = authority.issue(
      "server", names: "DNS:localhost,IP:127.0.0.1,DNS:*.b.example,IP:::1")
    let pair = try TLSPair(
      client: .client(trusting: authority), server: .server(identity), serverName: name)
    if isAccepted {
      try pair.handshake()
    } else {
      let error = #expect(throws: TLSError.self) { try pair.handshake() }
      #expect(error?.description.contains("is not accepted") == true)
    }
    let lenient = try TLSPair(
      client: .client(trusting: authority, verification: .noHostnameVerification),
      server: .server(identity), serverName: name)
    try lenient.handshake()
  }

  @Test func aServerOfAnUnknownAuthorityIsNotTrusted() throws {
    let stranger = TestAuthority("Somebody").issue("server")
    let error = #expect(throws: TLSError.self) {
      try TLSPair(client: .client(trusting: authority), server: .server(stranger)).handshake()
    }
    #expect(error?.description.hasPrefix("the peer's certificate is not accepted: ") == true)
    try TLSPair(
      client: .client(trusting: authority, verification: .noVerification),
      server: .server(stranger)
    ).handshake()
  }

  @Test func anExpiredCertificateIsNotAccepted() throws {
    let identity = authority.issue("server", days: -1)
    let error = #expect(throws: TLSError.self) {
      try TLSPair(client: .client(trusting: authority), server: .server(identity)).handshake()
    }
    #expect(
      error?.description == "the peer's certificate is not accepted: certificate has expired")
  }

  @Test func aChainLeadsToTheAuthority() throws {
    let middle = TestAuthority("Middle", under: authority)
    var identity = middle.issue("server")
    #expect(throws: TLSError.self) {
      try TLSPair(client: .client(trusting: authority), server: .server(identity)).handshake()
    }
    identity.certificate += middle.root
    let pair = try TLSPair(client: .client(trusting: authority), server: .server(identity))
    try pair.handshake()
    #expect(pair.client.peerCertificate?.chain.count == 3)
  }

  @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
  func clientsShowWhoTheyAre(version: Int32) throws {
    let client = authority.issue(
      "tracker",
      names:
        "DNS:tracker.example,URI:spiffe://kart/tracker,email:a@kart.example,IP:10.0.0.1,IP:2001:db8::1"
    )
    let server = try TLSContext.server(authority.issue("server"), clientsOf: authority)
    let pair = try TLSPair(
      client: .client(trusting: authority, as: client).restricted(to: version), server: server)
    try pair.handshake()
    let certificate = try #require(pair.server.peerCertificate)
    #expect(certificate.subject == "CN=tracker")
    #expect(
      certificate.names == [
        .dns("tracker.example"), .uri("spiffe://kart/tracker"), .email("a@kart.example"),
        .ipAddress("10.0.0.1"), .ipAddress("2001:db8::1"),
      ])
    #expect(certificate.chain.count == 2)
    #expect(certificate.chain.allSatisfy { $0.first == 0x30 })
  }

  @Test func clientsWithoutATrustedCertificateAreRefused() throws {
    let server = try TLSContext.server(authority.issue("server"), clientsOf: authority)
    #expect(throws: TLSError.self) {
      try TLSPair(client: .client(trusting: authority), server: server).handshake()
    }
    let stranger = TestAuthority("Somebody").issue("client")
    #expect(throws: TLSError.self) {
      try TLSPair(client: .client(trusting: authority, as: stranger), server: server).handshake()
    }
  }

  @Test func aServerThatAsksForNoCertificateKnowsNobody() throws {
    let client = try TLSContext.client(trusting: authority, as: authority.issue("tracker"))
    let pair = try TLSPair(client: client, server: .server(authority.issue("server")))
    try pair.handshake()
    #expect(pair.server.peerCertificate == nil)
  }

  @Test func bothInsistOnHTTP2() throws {
    let server = try TLSContext.server(authority.issue("server"))
    let client = try TLSContext.client(trusting: authority).withoutALPN()
    let error = #expect(throws: TLSError.self) {
      try TLSPair(client: client, server: server).handshake()
    }
    #expect(error?.description == "the peer did not agree on HTTP/2 by ALPN")
    let other: [UInt8] = [8] + Array("http/1.1".utf8)
    SSL_CTX_set_alpn_protos(client.raw, other, UInt32(other.count))
    #expect(throws: TLSError.self) { try TLSPair(client: client, server: server).handshake() }
    let both: [UInt8] = other + [2] + Array("h2".utf8)
    SSL_CTX_set_alpn_protos(client.raw, both, UInt32(both.count))
    try TLSPair(client: client, server: server).handshake()
  }

  @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
  func sessionsAreResumed(version: Int32) throws {
    let identity = authority.issue("tracker")
    let server = try TLSContext.server(authority.issue("server"), clientsOf: authority)
    let client = try TLSContext.client(trusting: authority, as: identity).restricted(to: version)
    func connect(_ key: String) throws -> TLSSession {
      let pair = try TLSPair(client: client, server: server, resumptionKey: key)
      try pair.handshake()
      #expect(pair.client.isResumed == pair.server.isResumed)
      // The identity is known of a resumed session as well.
      #expect(pair.server.peerCertificate?.subject == "CN=tracker")
      return pair.client
    }
    #expect(try !connect("a").isResumed)
    #expect(try connect("a").isResumed)
    #expect(try connect("a").isResumed)
    #expect(try !connect("b").isResumed)
    // Another server's context does not know the session, and shakes hands in full.
    let other = try TLSContext.server(authority.issue("server"), clientsOf: authority)
    let pair = try TLSPair(client: client, server: other, resumptionKey: "a")
    try pair.handshake()
    #expect(!pair.client.isResumed)
  }

  @Test func garbageIsAnError() throws {
    let session = try TLSSession(.server(authority.issue("server")))
    let bytes = Array("GET / HTTP/1.1\r\n\r\n".utf8)
    #expect(throws: TLSError.self) {
      try bytes.withUnsafeBytes { raw in
        try session.withInput(raw) { _ = try session.handshake() }
      }
    }
  }
}
