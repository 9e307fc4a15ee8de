import COpenSSL
import GRPCCore

/// TLS on one connection: bytes of the wire in and out, and what they mean.
///
/// OpenSSL reads from the bytes that the socket has just delivered and writes into the block that the socket is
/// about to send, so an idle connection keeps no buffer here. A session belongs to its channel and is used on
/// that channel's loop alone.
final class TLSSession {
  let context: TLSContext
  /// OpenSSL's object; freed with this one.
  private let raw: OpaquePointer
  /// Which server's session to resume; nil on the server's side.
  private let server: String?
  /// What the socket has delivered and OpenSSL has not taken.
  private var input = UnsafeRawBufferPointer(start: nil, count: 0)
  /// Where to write, while output is gathered.
  private var sink: OutputBuffer?
  /// What was written otherwise: parts of the handshake, alerts.
  private var pending: [UInt8] = []
  /// Whether the handshake is over.
  private(set) var isEstablished = false
  /// Whether the peer has said that nothing follows.
  private(set) var isClosedByPeer = false

  /// Makes one side of a connection.
  ///
  /// - Parameters:
  ///   - context: What this side's connections have in common.
  ///   - serverName: The name that a client asks for and verifies: a host's name or an IP address.
  ///   - server: Under which key a client's sessions are kept and resumed.
  init(
    _ context: TLSContext, serverName: String? = nil, server: String? = nil
  ) throws(TLSError) {
    ERR_clear_error()
    guard let raw = SSL_new(context.raw), let bio = TLSBIO.make() else {
      throw TLSError(fromOpenSSL: "there is no memory")
    }
    self.context = context
    self.raw = raw
    self.server = server
    // OpenSSL's object is freed in deinit, and calls back only from within functions called here.
    let owner = Unmanaged.passUnretained(self).toOpaque()
    BIO_set_data(bio, owner)
    SSL_set_bio(raw, bio, bio)
    tls_set_owner(raw, owner)
    switch context.role {
    case .server:
      SSL_set_accept_state(raw)
    case .client:
      SSL_set_connect_state(raw)
      if let serverName { try setServerName(serverName) }
      if let server { context.resumption.resume(raw, to: server) }
    }
  }

  deinit {
    // Else OpenSSL would take the session for broken and not resume it.
    if isEstablished { SSL_set_shutdown(raw, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN) }
    SSL_free(raw)
  }

  /// Whether the handshake went on from an earlier session.
  var isResumed: Bool { SSL_session_reused(raw) == 1 }

  /// Which version is spoken, as `TLSv1.3`.
  var version: String { SSL_get_version(raw).map { String(cString: $0) } ?? "" }

  /// Lends bytes of the wire to OpenSSL for as long as a closure runs.
  func withInput<Failure: Error>(
    _ bytes: UnsafeRawBufferPointer, _ body: () throws(Failure) -> Void
  ) throws(Failure) {
    input = bytes
    defer { input = UnsafeRawBufferPointer(start: nil, count: 0) }
    try body()
  }

  /// Goes on with the handshake.
  ///
  /// - Returns: Whether it is over.
  func handshake() throws(TLSError) -> Bool {
    guard !isEstablished else { return true }
    ERR_clear_error()
    let result = SSL_do_handshake(raw)
    guard result == 1 else {
      guard SSL_get_error(raw, result) == SSL_ERROR_WANT_READ else { throw handshakeFailure() }
      return false
    }
    guard negotiatedProtocol == "h2" else {
      throw TLSError("the peer did not agree on HTTP/2 by ALPN")
    }
    isEstablished = true
    return true
  }

  /// Takes decrypted bytes.
  ///
  /// - Returns: How many; 0 if there are none yet, or none any more.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(TLSError) -> Int {
    ERR_clear_error()
    let count = SSL_read(raw, buffer.baseAddress, Int32(clamping: buffer.count))
    guard count <= 0 else { return Int(count) }
    switch SSL_get_error(raw, count) {
    case SSL_ERROR_WANT_READ: break
    case SSL_ERROR_ZERO_RETURN: isClosedByPeer = true
    default: throw TLSError(fromOpenSSL: "the peer breaks TLS")
    }
    return 0
  }

  /// Encrypts bytes.
  func write(_ bytes: UnsafeMutableRawBufferPointer, into output: OutputBuffer) throws(TLSError) {
    guard !bytes.isEmpty else { return }
    ERR_clear_error()
    sink = output
    defer { sink = nil }
    guard SSL_write(raw, bytes.baseAddress, Int32(clamping: bytes.count)) == bytes.count else {
      throw TLSError(fromOpenSSL: "nothing can be encrypted")
    }
  }

  /// Says that nothing follows.
  func close(into output: OutputBuffer) {
    guard isEstablished, SSL_get_shutdown(raw) & SSL_SENT_SHUTDOWN == 0 else { return }
    ERR_clear_error()
    sink = output
    defer { sink = nil }
    SSL_shutdown(raw)
  }

  /// Whether there is something to be sent beside the connection's own bytes.
  var hasPending: Bool { !pending.isEmpty }

  /// Takes what is to be sent beside the connection's own bytes.
  func takePending(into output: OutputBuffer) {
    guard !pending.isEmpty else { return }
    pending.withUnsafeBufferPointer { bytes in
      if let base = bytes.baseAddress { output.append(base, bytes.count) }
    }
    pending = []
  }

  // MARK: What OpenSSL calls

  /// Gives OpenSSL bytes of the wire.
  ///
  /// - Returns: How many; 0 if there are none now.
  func giveInput(_ destination: UnsafeMutablePointer<CChar>, _ limit: Int) -> Int {
    let count = min(limit, input.count)
    guard count > 0, let base = input.baseAddress else { return 0 }
    UnsafeMutableRawPointer(destination).copyMemory(from: base, byteCount: count)
    input = UnsafeRawBufferPointer(rebasing: input[count...])
    return count
  }

  /// Takes bytes for the wire from OpenSSL.
  func takeOutput(_ bytes: UnsafePointer<CChar>, _ count: Int) {
    let raw = UnsafeRawBufferPointer(start: bytes, count: count)
    if let sink {
      sink.extend(by: count).copyMemory(from: bytes, byteCount: count)
    } else {
      pending.append(contentsOf: raw)
    }
  }

  /// Keeps a session for the next connection.
  ///
  /// - Returns: Whether it is kept.
  func didReceiveResumableSession(_ session: OpaquePointer) -> Bool {
    guard let server else { return false }
    return context.resumption.store(session, for: server)
  }

  // MARK: The peer

  /// The connection as channelz shows it; nil before the handshake is over.
  var channelzSecurity: ChannelzSecurity? {
    guard isEstablished else { return nil }
    // Both belong to the connection, and nothing here outlives this call.
    let local = SSL_get_certificate(raw)
    let remote = SSL_get0_peer_certificate(raw)
    let cipher = SSL_CIPHER_standard_name(SSL_get_current_cipher(raw))
    return ChannelzSecurity(
      cipherSuite: cipher.map { String(cString: $0) } ?? "",
      localCertificate: local.map(PeerCertificate.der(of:)) ?? [],
      remoteCertificate: remote.map(PeerCertificate.der(of:)) ?? [])
  }

  /// The certificate of a peer that was verified.
  var peerCertificate: PeerCertificate? {
    guard context.verification != .noVerification, SSL_get_verify_result(raw) == Int(X509_V_OK)
    else { return nil }
    return PeerCertificate(of: raw)
  }

  private func setServerName(_ name: String) throws(TLSError) {
    let isAddress = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(raw), name) == 1
    ERR_clear_error()
    // An address is no name to ask for (RFC 6066, section 3).
    if !isAddress { _ = tls_set_server_name(raw, name) }
    guard context.verification == .fullVerification else {
      if isAddress { X509_VERIFY_PARAM_set1_ip(SSL_get0_param(raw), nil, 0) }
      return
    }
    guard isAddress || SSL_set1_host(raw, name) == 1 else {
      throw TLSError(fromOpenSSL: "“\(name)” is no name that a certificate can have")
    }
  }

  private var negotiatedProtocol: String? {
    var name: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    SSL_get0_alpn_selected(raw, &name, &count)
    guard let name else { return nil }
    return String(decoding: UnsafeBufferPointer(start: name, count: Int(count)), as: UTF8.self)
  }

  private func handshakeFailure() -> TLSError {
    let verification = SSL_get_verify_result(raw)
    guard context.verification != .noVerification, verification != Int(X509_V_OK) else {
      return TLSError(fromOpenSSL: "the TLS handshake failed")
    }
    ERR_clear_error()
    let reason = X509_verify_cert_error_string(verification).map { String(cString: $0) } ?? ""
    return TLSError("the peer's certificate is not accepted: \(reason)")
  }
}
