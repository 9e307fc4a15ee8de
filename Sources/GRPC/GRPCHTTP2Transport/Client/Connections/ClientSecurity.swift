import GRPCCore

/// Makes the TLS of a channel's connections.
struct ClientSecurity: Sendable {
  /// What makes two channels' security the same.
  struct Identity: Hashable, Sendable {
    fileprivate let certificateChain: [TLSConfig.CertificateSource]
    fileprivate let privateKey: TLSConfig.PrivateKeySource?
    fileprivate let verification: TLSConfig.CertificateVerification
    fileprivate let trustRoots: TLSConfig.TrustRootsSource
    fileprivate let serverName: String?
  }

  let identity: Identity
  private let contexts: TLSContextSource
  private var serverName: String? { identity.serverName }

  /// Reads certificates and keys; nil for plaintext.
  ///
  /// - Throws: `RuntimeError` with code `invalidArgument` that names what is of no use.
  init?(_ security: HTTP2ClientTransport.TransportSecurity) throws(RuntimeError) {
    guard case .tls(let tls) = security.kind else { return nil }
    let settings = TLSSettings(
      role: .client, certificateChain: tls.certificateChain, privateKey: tls.privateKey,
      verification: tls.serverCertificateVerification, trustRoots: tls.trustRoots,
      onReloadFailure: tls.onReloadFailure)
    do throws(TLSError) {
      contexts = try TLSContextSource(settings)
    } catch {
      throw RuntimeError(
        code: .invalidArgument, message: "The client's TLS cannot be used: \(error).",
        cause: error)
    }
    identity = Identity(
      certificateChain: tls.certificateChain, privateKey: tls.privateKey,
      verification: tls.serverCertificateVerification, trustRoots: tls.trustRoots,
      serverName: tls.serverName)
  }

  /// The TLS of a new connection.
  func session(authority: String, address: SocketAddress) throws(TLSError) -> TLSSession {
    let name = serverName ?? Self.host(of: authority)
    return try TLSSession(
      contexts.current(), serverName: name, server: "\(name) \(address)")
  }

  /// An authority without its port and an IPv6 address's brackets.
  static func host(of authority: String) -> String {
    if authority.hasPrefix("["), let bracket = authority.firstIndex(of: "]") {
      return String(authority[authority.index(after: authority.startIndex)..<bracket])
    }
    guard let colon = authority.lastIndex(of: ":"), colon == authority.firstIndex(of: ":") else {
      return authority
    }
    return String(authority[..<colon])
  }
}
