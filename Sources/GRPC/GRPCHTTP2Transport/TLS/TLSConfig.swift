/// What TLS is configured with: certificates, keys, and whom to trust.
public enum TLSConfig: Sendable {
  /// How a certificate or key is written.
  public struct SerializationFormat: Sendable, Hashable {
    enum Format: Sendable, Hashable {
      case pem
      case der
    }

    let format: Format

    /// Text between `-----BEGIN …-----` and `-----END …-----`. Several certificates may follow one another.
    public static let pem = SerializationFormat(format: .pem)

    /// The bytes of one ASN.1 structure.
    public static let der = SerializationFormat(format: .der)
  }

  enum Bytes: Sendable, Hashable {
    case file(path: String)
    case inMemory([UInt8])
  }

  /// Where certificates come from.
  public struct CertificateSource: Sendable, Hashable {
    let bytes: Bytes
    let format: SerializationFormat

    /// A file, which is read again when it has changed.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - format: How it is written.
    /// - Returns: The source.
    public static func file(path: String, format: SerializationFormat = .pem) -> Self {
      Self(bytes: .file(path: path), format: format)
    }

    /// Bytes.
    ///
    /// - Parameters:
    ///   - bytes: The certificate, or in PEM several.
    ///   - format: How they are written.
    /// - Returns: The source.
    public static func bytes(_ bytes: [UInt8], format: SerializationFormat = .pem) -> Self {
      Self(bytes: .inMemory(bytes), format: format)
    }
  }

  /// Where a private key comes from: PKCS#8, or the older forms of RSA and EC keys; not encrypted.
  public struct PrivateKeySource: Sendable, Hashable {
    let bytes: Bytes
    let format: SerializationFormat

    /// A file, which is read again when it has changed.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - format: How it is written.
    /// - Returns: The source.
    public static func file(path: String, format: SerializationFormat = .pem) -> Self {
      Self(bytes: .file(path: path), format: format)
    }

    /// Bytes.
    ///
    /// - Parameters:
    ///   - bytes: The key.
    ///   - format: How it is written.
    /// - Returns: The source.
    public static func bytes(_ bytes: [UInt8], format: SerializationFormat = .pem) -> Self {
      Self(bytes: .inMemory(bytes), format: format)
    }
  }

  /// Whose signatures on a peer's certificate are believed.
  public struct TrustRootsSource: Sendable, Hashable {
    enum Source: Sendable, Hashable {
      case systemDefault
      case certificates([CertificateSource])
    }

    let source: Source

    /// The authorities that the system trusts, or those that `SSL_CERT_FILE` and `SSL_CERT_DIR` name.
    public static let systemDefault = TrustRootsSource(source: .systemDefault)

    /// These authorities and no others.
    ///
    /// - Parameter sources: Their certificates.
    /// - Returns: The source.
    public static func certificates(_ sources: [CertificateSource]) -> Self {
      Self(source: .certificates(sources))
    }
  }

  /// How a peer's certificate is checked.
  public struct CertificateVerification: Sendable, Hashable {
    enum Verification: Sendable, Hashable {
      case none
      case chain
      case chainAndName
    }

    let verification: Verification

    /// Not at all: the connection is secret, and nobody knows from whom.
    public static let noVerification = CertificateVerification(verification: .none)

    /// It must be valid and signed by someone trusted, whatever name it has.
    public static let noHostnameVerification = CertificateVerification(verification: .chain)

    /// It must be valid, signed by someone trusted, and have the name of the server that was dialled.
    ///
    /// A server checks no name of its clients.
    public static let fullVerification = CertificateVerification(verification: .chainAndName)
  }
}
