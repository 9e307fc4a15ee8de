import COpenSSL

/// Why TLS cannot be spoken: a certificate or key that is of no use, or a handshake that failed.
struct TLSError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, as a part of a sentence.
  var description: String

  init(_ description: String) {
    self.description = description
  }

  /// Takes over what OpenSSL has last noted on this thread.
  ///
  /// - Parameter what: What was being done.
  init(fromOpenSSL what: String) {
    let error = ERR_peek_last_error()
    ERR_clear_error()
    guard error != 0, let reason = ERR_reason_error_string(error) else {
      self.init(what)
      return
    }
    self.init("\(what): \(String(cString: reason))")
  }
}
