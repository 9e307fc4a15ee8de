/// How a connection is encrypted by TLS.
public struct ChannelzSecurity: Sendable, Hashable {
  /// The cipher suite by its standard name, as `TLS_AES_256_GCM_SHA384`.
  public var cipherSuite: String
  /// The certificate that this end has, in DER; empty where it has none.
  public var localCertificate: [UInt8]
  /// The certificate that the other end has shown, in DER; empty where it has shown none.
  public var remoteCertificate: [UInt8]

  /// Creates a description.
  ///
  /// - Parameters:
  ///   - cipherSuite: The cipher suite by its standard name.
  ///   - localCertificate: The certificate that this end has, in DER.
  ///   - remoteCertificate: The certificate that the other end has shown, in DER.
  public init(cipherSuite: String, localCertificate: [UInt8], remoteCertificate: [UInt8]) {
    self.cipherSuite = cipherSuite
    self.localCertificate = localCertificate
    self.remoteCertificate = remoteCertificate
  }
}
