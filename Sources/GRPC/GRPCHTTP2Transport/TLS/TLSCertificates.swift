import COpenSSL

/// Reads certificates and keys into OpenSSL's objects, which are lent to a closure and freed after it.
enum TLSCertificates {
  /// Reads the certificates of a source in their order, of which there is at least one.
  static func withCertificates<Result>(
    of source: TLSConfig.CertificateSource,
    _ body: ([OpaquePointer]) throws(TLSError) -> Result
  ) throws(TLSError) -> Result {
    let name = name(of: source.bytes, as: "certificate")
    let bytes = try contents(of: source.bytes)
    var certificates: [OpaquePointer] = []
    // Every certificate in the array is ours until here.
    defer { for certificate in certificates { X509_free(certificate) } }
    try withMemory(bytes) { bio throws(TLSError) in
      switch source.format.format {
      case .der:
        if let certificate = d2i_X509_bio(bio, nil) { certificates.append(certificate) }
      case .pem:
        while let certificate = PEM_read_bio_X509(bio, nil, refusePassword, nil) {
          certificates.append(certificate)
        }
        try checkThatItWasTheEnd(name)
      }
    }
    guard !certificates.isEmpty else {
      ERR_clear_error()
      let form = source.format == .pem ? "PEM" : "DER"
      throw TLSError("\(name) holds no certificate in \(form)")
    }
    return try body(certificates)
  }

  /// Reads a private key.
  static func withPrivateKey<Result>(
    of source: TLSConfig.PrivateKeySource, _ body: (OpaquePointer) throws(TLSError) -> Result
  ) throws(TLSError) -> Result {
    let name = name(of: source.bytes, as: "private key")
    let bytes = try contents(of: source.bytes)
    let isEncrypted = String(decoding: bytes, as: UTF8.self).contains("ENCRYPTED")
    let key = try withMemory(bytes) { bio throws(TLSError) in
      switch source.format.format {
      case .der: d2i_PrivateKey_bio(bio, nil)
      case .pem: PEM_read_bio_PrivateKey(bio, nil, refusePassword, nil)
      }
    }
    guard let key else {
      ERR_clear_error()
      if isEncrypted {
        throw TLSError("\(name) is encrypted; decrypt it with “openssl pkey”")
      }
      let form = source.format == .pem ? "PEM" : "DER"
      throw TLSError("\(name) holds no private key in \(form)")
    }
    defer { EVP_PKEY_free(key) }
    return try body(key)
  }

  /// What to call a source in an error.
  static func name(of bytes: TLSConfig.Bytes, as kind: String) -> String {
    switch bytes {
    case .file(let path): path
    case .inMemory: "the \(kind)"
    }
  }

  /// Without this OpenSSL would ask the terminal for a password.
  private static let refusePassword:
    @convention(c) (
      UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?
    ) -> Int32 = { _, _, _, _ in -1 }

  private static func contents(of bytes: TLSConfig.Bytes) throws(TLSError) -> [UInt8] {
    switch bytes {
    case .file(let path):
      do throws(FileError) {
        return try FileContents.read(path)
      } catch {
        throw TLSError("\(error)")
      }
    case .inMemory(let bytes):
      return bytes
    }
  }

  private static func withMemory<Result>(
    _ bytes: [UInt8], _ body: (OpaquePointer) throws(TLSError) -> Result
  ) throws(TLSError) -> Result {
    // The copy is OpenSSL's own, so no pointer into the array outlives this line.
    guard let bio = BIO_new(BIO_s_mem()), BIO_write(bio, bytes, Int32(clamping: bytes.count)) >= 0
    else { throw TLSError(fromOpenSSL: "there is no memory") }
    defer { BIO_free(bio) }
    return try body(bio)
  }

  /// PEM ends with the error that there is no further beginning; any other one is about a broken block.
  private static func checkThatItWasTheEnd(_ name: String) throws(TLSError) {
    let error = ERR_peek_last_error()
    let isEnd =
      tls_error_library(error) == ERR_LIB_PEM && tls_error_reason(error) == PEM_R_NO_START_LINE
    guard error != 0, !isEnd else { return ERR_clear_error() }
    throw TLSError(fromOpenSSL: "\(name) holds a broken certificate")
  }
}
