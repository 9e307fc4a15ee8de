/// The certificate with which a peer has shown who it is.
public struct PeerCertificate: Sendable, Hashable {
  /// A name that the certificate's authority vouches for (RFC 5280, section 4.2.1.6).
  public enum Name: Sendable, Hashable {
    /// A host, as `tracker.kart.example`.
    case dns(String)
    /// A URI, as `spiffe://kart.example/tracker`.
    case uri(String)
    /// A mail address.
    case email(String)
    /// An IP address, as `192.0.2.1` or `2001:db8::1`.
    case ipAddress(String)
  }

  /// The certificates from the peer's own to an authority's, each in DER. It has one at least.
  public var chain: [[UInt8]]
  /// Whom the certificate was issued to, in RFC 2253's form, as `CN=tracker,O=Kart`.
  public var subject: String
  /// The subject's alternative names.
  public var names: [Name]

  /// Creates a certificate.
  ///
  /// - Parameters:
  ///   - chain: The certificates from the peer's own to an authority's, each in DER.
  ///   - subject: Whom the certificate was issued to, in RFC 2253's form.
  ///   - names: The subject's alternative names.
  public init(chain: [[UInt8]], subject: String, names: [Name]) {
    self.chain = chain
    self.subject = subject
    self.names = names
  }
}
