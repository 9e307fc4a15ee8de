import COpenSSL
import Synchronization

/// The latest session with each server, from which the next handshake can go on.
final class TLSResumption: Sendable {
  /// `@unchecked Sendable` holds because OpenSSL counts references atomically, and does not change a session
  /// that is complete.
  private struct Session: @unchecked Sendable {
    let raw: OpaquePointer
  }

  /// More servers than this are not remembered.
  private static let limit = 256

  /// Each one a reference of our own, given away or freed once, under the lock.
  private let sessions = Mutex<[String: Session]>([:])

  deinit {
    sessions.withLock { for session in $0.values { SSL_SESSION_free(session.raw) } }
  }

  /// Keeps a session; the reference becomes ours.
  ///
  /// - Returns: Whether it is kept; if not, the reference stays the caller's.
  func store(_ session: OpaquePointer, for server: String) -> Bool {
    let session = Session(raw: session)
    return sessions.withLock { sessions in
      guard sessions[server] != nil || sessions.count < Self.limit else { return false }
      if let former = sessions.updateValue(session, forKey: server) { SSL_SESSION_free(former.raw) }
      return true
    }
  }

  /// Has a connection's handshake go on from the session with its server, if there is one.
  ///
  /// A session of TLS 1.3 is used once, so that connections cannot be linked by it (RFC 8446, appendix C.4).
  func resume(_ ssl: OpaquePointer, to server: String) {
    let session = sessions.withLock { sessions -> Session? in
      guard let session = sessions[server] else { return nil }
      if SSL_SESSION_get_protocol_version(session.raw) == TLS1_3_VERSION {
        sessions[server] = nil
      } else {
        SSL_SESSION_up_ref(session.raw)
      }
      return session
    }
    guard let session else { return }
    // Takes a reference of its own.
    SSL_set_session(ssl, session.raw)
    SSL_SESSION_free(session.raw)
  }
}
