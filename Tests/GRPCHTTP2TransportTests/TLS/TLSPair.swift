import COpenSSL

@testable import GRPCHTTP2Transport

/// A client and a server that speak TLS without a socket between them.
struct TLSPair {
  let client: TLSSession
  let server: TLSSession

  init(
    client: TLSContext, server: TLSContext, serverName: String? = "localhost",
    resumptionKey: String? = nil
  ) throws {
    self.client = try TLSSession(client, serverName: serverName, server: resumptionKey)
    self.server = try TLSSession(server)
  }

  /// Carries bytes to and fro until both have shaken hands.
  func handshake() throws {
    var toServer: [UInt8] = []
    var toClient: [UInt8] = []
    for _ in 0..<10 {
      try Self.feed(toClient, to: client)
      toServer = Self.output(of: client)
      try Self.feed(toServer, to: server)
      toClient = Self.output(of: server)
      if client.isEstablished, server.isEstablished, toClient.isEmpty, toServer.isEmpty { return }
    }
    throw TLSError("the handshake does not end")
  }

  /// Encrypts on one side and decrypts on the other.
  func send(_ bytes: [UInt8], from sender: TLSSession, to receiver: TLSSession) throws -> [UInt8] {
    let output = OutputBuffer(capacity: 64)
    var bytes = bytes
    try bytes.withUnsafeMutableBytes { try sender.write($0, into: output) }
    var received: [UInt8] = []
    try receiver.withInput(UnsafeRawBufferPointer(output.bytes)) {
      var buffer = [UInt8](repeating: 0, count: 1000)
      while true {
        let count = try buffer.withUnsafeMutableBytes { try receiver.read(into: $0) }
        guard count > 0 else { return }
        received += buffer[..<count]
      }
    }
    return received
  }

  private static func feed(_ bytes: [UInt8], to session: TLSSession) throws {
    try bytes.withUnsafeBytes { raw in
      try session.withInput(raw) {
        guard try session.handshake() else { return }
        var scrap = [UInt8](repeating: 0, count: 100)
        // Takes in the tickets that follow a handshake.
        _ = try scrap.withUnsafeMutableBytes { try session.read(into: $0) }
      }
    }
  }

  private static func output(of session: TLSSession) -> [UInt8] {
    let output = OutputBuffer(capacity: 64)
    session.takePending(into: output)
    return Array(output.bytes)
  }
}

extension TLSContext {
  static func client(
    trusting authority: TestAuthority, as identity: TestAuthority.Identity? = nil,
    verification: TLSConfig.CertificateVerification = .fullVerification
  ) throws -> TLSContext {
    try TLSContext(
      TLSSettings(
        role: .client, certificateChain: identity?.chain ?? [], privateKey: identity?.privateKey,
        verification: verification, trustRoots: authority.trust))
  }

  static func server(
    _ identity: TestAuthority.Identity, clientsOf authority: TestAuthority? = nil
  ) throws -> TLSContext {
    try TLSContext(
      TLSSettings(
        role: .server, certificateChain: identity.chain, privateKey: identity.privateKey,
        verification: authority == nil ? .noVerification : .noHostnameVerification,
        trustRoots: authority?.trust ?? .systemDefault))
  }

  /// Speaks this version alone.
  func restricted(to version: Int32) -> TLSContext {
    _ = tls_context_set_versions(raw, version, version)
    return self
  }

  /// Offers no protocol by ALPN.
  func withoutALPN() -> TLSContext {
    SSL_CTX_set_alpn_protos(raw, nil, 0)
    return self
  }
}
