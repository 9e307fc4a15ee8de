import GRPCCore

extension HTTP2ServerTransport {
  /// How a server's connections are protected.
  public struct TransportSecurity: Sendable {
    enum Kind: Sendable {
      case plaintext
      case tls(TLS)
    }

    let kind: Kind

    /// Not at all: for Unix domain sockets, and for networks that are trusted.
    public static let plaintext = TransportSecurity(kind: .plaintext)

    /// TLS. What files are named is read when the server starts, and again when they have changed.
    ///
    /// - Parameters:
    ///   - certificateChain: The server's certificate, then those that lead from it to an authority.
    ///   - privateKey: Its key.
    ///   - configure: Changes the defaults.
    /// - Returns: The security.
    public static func tls(
      certificateChain: [TLSConfig.CertificateSource], privateKey: TLSConfig.PrivateKeySource,
      configure: (_ tls: inout TLS) -> Void = { _ in }
    ) -> TransportSecurity {
      var tls = TLS(certificateChain: certificateChain, privateKey: privateKey)
      configure(&tls)
      return TransportSecurity(kind: .tls(tls))
    }

    /// TLS in which clients must show a certificate of someone trusted.
    ///
    /// - Parameters:
    ///   - certificateChain: The server's certificate, then those that lead from it to an authority.
    ///   - privateKey: Its key.
    ///   - configure: Changes the defaults.
    /// - Returns: The security.
    public static func mTLS(
      certificateChain: [TLSConfig.CertificateSource], privateKey: TLSConfig.PrivateKeySource,
      configure: (_ tls: inout TLS) -> Void = { _ in }
    ) -> TransportSecurity {
      .tls(certificateChain: certificateChain, privateKey: privateKey) { tls in
        tls.clientCertificateVerification = .noHostnameVerification
        configure(&tls)
      }
    }
  }

  /// What a server does with TLS 1.2 and 1.3. HTTP/2 is required of clients by ALPN.
  public struct TLS: Sendable {
    /// The server's certificate, then those that lead from it to an authority.
    public var certificateChain: [TLSConfig.CertificateSource]

    /// The certificate's key.
    public var privateKey: TLSConfig.PrivateKeySource

    /// How clients' certificates are checked; they are not asked for one if not at all.
    public var clientCertificateVerification: TLSConfig.CertificateVerification = .noVerification

    /// Whose signatures on clients' certificates are believed.
    public var trustRoots: TLSConfig.TrustRootsSource = .systemDefault

    /// Is told, in a sentence, when files have changed and cannot be used; those before stay in force.
    public var onReloadFailure: (@Sendable (_ reason: String) -> Void)?

    init(
      certificateChain: [TLSConfig.CertificateSource], privateKey: TLSConfig.PrivateKeySource
    ) {
      self.certificateChain = certificateChain
      self.privateKey = privateKey
    }
  }
}

extension HTTP2ServerTransport.TransportSecurity {
  /// Reads certificates and keys; nil for plaintext.
  ///
  /// - Throws: `RuntimeError` with code `invalidArgument` that names what is of no use.
  func contexts() throws(RuntimeError) -> TLSContextSource? {
    guard case .tls(let tls) = kind else { return nil }
    let settings = TLSSettings(
      role: .server, certificateChain: tls.certificateChain, privateKey: tls.privateKey,
      verification: tls.clientCertificateVerification, trustRoots: tls.trustRoots,
      onReloadFailure: tls.onReloadFailure)
    do throws(TLSError) {
      return try TLSContextSource(settings)
    } catch {
      throw RuntimeError(
        code: .invalidArgument, message: "The server's TLS cannot be used: \(error).",
        cause: error)
    }
  }
}
