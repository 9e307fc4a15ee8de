import COpenSSL

/// What connections of one side have in common: certificates, key, trusted authorities.
///
/// `@unchecked Sendable` holds because OpenSSL's object is not changed any more once this is made, and
/// OpenSSL lets threads share it.
final class TLSContext: @unchecked Sendable {
  let role: TLSSettings.Role
  let verification: TLSConfig.CertificateVerification
  /// `SSL_CTX`; freed with this object, but for the references that sessions have of their own.
  let raw: OpaquePointer
  /// Sessions that a client may resume.
  let resumption = TLSResumption()

  /// Reads what the settings name.
  ///
  /// - Throws: ``TLSError`` that names the file, or what is wrong.
  init(_ settings: TLSSettings) throws(TLSError) {
    role = settings.role
    verification = settings.verification
    ERR_clear_error()
    let method = role == .server ? TLS_server_method() : TLS_client_method()
    guard let raw = SSL_CTX_new(method) else {
      throw TLSError(fromOpenSSL: "OpenSSL cannot be used")
    }
    self.raw = raw
    try setProtocols()
    try setIdentity(settings)
    try setTrust(settings)
    setResumption()
  }

  deinit {
    SSL_CTX_free(raw)
  }

  /// TLS 1.2 and 1.3, and of 1.2 the ciphers that HTTP/2 may use (RFC 9113, section 9.2).
  private func setProtocols() throws(TLSError) {
    let ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20"
    guard tls_context_set_versions(raw, TLS1_2_VERSION, TLS1_3_VERSION) == 1,
      SSL_CTX_set_cipher_list(raw, ciphers) == 1
    else { throw TLSError(fromOpenSSL: "OpenSSL lacks what HTTP/2 needs") }
    SSL_CTX_set_options(raw, tls_options)
    tls_context_set_mode(raw, Int(SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER))
    switch role {
    case .client:
      // Unlike all other functions this returns 0 for success.
      guard SSL_CTX_set_alpn_protos(raw, Self.h2, UInt32(Self.h2.count)) == 0 else {
        throw TLSError(fromOpenSSL: "ALPN cannot be used")
      }
    case .server:
      SSL_CTX_set_alpn_select_cb(raw, Self.selectProtocol, nil)
    }
  }

  private func setIdentity(_ settings: TLSSettings) throws(TLSError) {
    guard let privateKey = settings.privateKey, let first = settings.certificateChain.first else {
      guard role == .client, settings.certificateChain.isEmpty else {
        throw TLSError("there is no certificate")
      }
      return
    }
    let name = TLSCertificates.name(of: first.bytes, as: "certificate")
    var isFirst = true
    for source in settings.certificateChain {
      try TLSCertificates.withCertificates(of: source) { certificates throws(TLSError) in
        for certificate in certificates {
          // Both functions take references of their own.
          let result =
            isFirst
            ? SSL_CTX_use_certificate(raw, certificate)
            : tls_context_add_chain_certificate(raw, certificate)
          guard result == 1 else {
            throw TLSError(fromOpenSSL: "the certificate in \(name) cannot be used")
          }
          isFirst = false
        }
      }
    }
    let keyName = TLSCertificates.name(of: privateKey.bytes, as: "private key")
    try TLSCertificates.withPrivateKey(of: privateKey) { key throws(TLSError) in
      guard SSL_CTX_use_PrivateKey(raw, key) == 1, SSL_CTX_check_private_key(raw) == 1 else {
        ERR_clear_error()
        throw TLSError("the key in \(keyName) does not belong to the certificate in \(name)")
      }
    }
  }

  private func setTrust(_ settings: TLSSettings) throws(TLSError) {
    guard verification != .noVerification else {
      return SSL_CTX_set_verify(raw, SSL_VERIFY_NONE, nil)
    }
    let mode = SSL_VERIFY_PEER | (role == .server ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0)
    SSL_CTX_set_verify(raw, mode, nil)
    switch settings.trustRoots.source {
    case .systemDefault:
      guard SSL_CTX_set_default_verify_paths(raw) == 1 else {
        throw TLSError(fromOpenSSL: "the system's certificates cannot be read")
      }
    case .certificates(let sources):
      for source in sources {
        try TLSCertificates.withCertificates(of: source) { certificates throws(TLSError) in
          for certificate in certificates {
            guard X509_STORE_add_cert(SSL_CTX_get_cert_store(raw), certificate) == 1 else {
              throw TLSError(fromOpenSSL: "an authority's certificate cannot be used")
            }
            // Tells clients which of their certificates to show.
            if role == .server { SSL_CTX_add_client_CA(raw, certificate) }
          }
        }
      }
    }
  }

  private func setResumption() {
    switch role {
    case .server:
      // A session of a context that is gone must not be resumed past this one's checks.
      var id = (UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max))
      withUnsafeBytes(of: &id) { bytes in
        _ = SSL_CTX_set_session_id_context(
          raw, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(bytes.count))
      }
      SSL_CTX_set_num_tickets(raw, 1)
    case .client:
      tls_context_set_session_cache(
        raw, Int(SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL_STORE))
      SSL_CTX_sess_set_new_cb(raw, Self.keepSession)
    }
  }

  /// `h2` as ALPN writes it: a byte of length, and the name.
  private static let h2: [UInt8] = [2, UInt8(ascii: "h"), UInt8(ascii: "2")]

  private static let selectProtocol: SSL_CTX_alpn_select_cb_func = {
    _, selected, selectedLength, offered, length, _ in
    var index = 0
    while let offered, index < Int(length) {
      let size = Int(offered[index])
      guard index + 1 + size <= Int(length) else { break }
      if size == 2, offered[index + 1] == h2[1], offered[index + 2] == h2[2] {
        selected?.pointee = offered + index + 1
        selectedLength?.pointee = 2
        return SSL_TLSEXT_ERR_OK
      }
      index += 1 + size
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
  }

  private static let keepSession: @convention(c) (OpaquePointer?, OpaquePointer?) -> Int32 = {
    ssl, session in
    guard let ssl, let session, let owner = tls_owner(ssl) else { return 0 }
    // The TLSSession frees its `SSL`, within whose functions this is called, so it is alive.
    let isKept = Unmanaged<TLSSession>.fromOpaque(owner)._withUnsafeGuaranteedRef {
      $0.didReceiveResumableSession(session)
    }
    return isKept ? 1 : 0
  }
}
