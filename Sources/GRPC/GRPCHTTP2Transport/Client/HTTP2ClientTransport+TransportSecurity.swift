extension HTTP2ClientTransport {
  /// How a client's connections are protected.
  public struct TransportSecurity: Sendable {
    enum Kind: Sendable {
      case plaintext
      case tls(TLS)
    }

    let kind: Kind

    /// Not at all: for Unix domain sockets, and for networks that are trusted.
    public static let plaintext = TransportSecurity(kind: .plaintext)

    /// TLS with the defaults of ``TLS``: the server's certificate is verified with the system's authorities.
    public static var tls: TransportSecurity { .tls { _ in } }

    /// TLS.
    ///
    /// - Parameter configure: Changes the defaults.
    /// - Returns: The security.
    public static func tls(configure: (_ tls: inout TLS) -> Void) -> TransportSecurity {
      var tls = TLS()
      configure(&tls)
      return TransportSecurity(kind: .tls(tls))
    }

    /// TLS in which the client shows a certificate as well.
    ///
    /// - Parameters:
    ///   - certificateChain: The client's certificate, then those that lead from it to an authority.
    ///   - privateKey: Its key.
    ///   - configure: Changes the defaults.
    /// - Returns: The security.
    public static func mTLS(
      certificateChain: [TLSConfig.CertificateSource], privateKey: TLSConfig.PrivateKeySource,
      configure: (_ tls: inout TLS) -> Void = { _ in }
    ) -> TransportSecurity {
      .tls { tls in
        tls.certificateChain = certificateChain
        tls.privateKey = privateKey
        configure(&tls)
      }
    }
  }

  /// What a client does with TLS 1.2 and 1.3. HTTP/2 is required of the server by ALPN.
  public struct TLS: Sendable {
    /// The client's certificate, then those that lead from it to an authority; empty if it shows none.
    public var certificateChain: [TLSConfig.CertificateSource] = []

    /// The certificate's key; nil if there is none.
    public var privateKey: TLSConfig.PrivateKeySource?

    /// How the server's certificate is checked.
    public var serverCertificateVerification: TLSConfig.CertificateVerification = .fullVerification

    /// Whose signatures on the server's certificate are believed.
    public var trustRoots: TLSConfig.TrustRootsSource = .systemDefault

    /// The name that the server is asked for (SNI) and that its certificate must have; the host of the calls'
    /// `:authority` if nil.
    public var serverName: String?

    /// Is told, in a sentence, when files have changed and cannot be used; those before stay in force.
    public var onReloadFailure: (@Sendable (_ reason: String) -> Void)?

    /// The values above.
    public static var defaults: TLS { TLS() }

    init() {}
  }
}
