import COpenSSL

/// OpenSSL's way to the wire: reads from and writes to a ``TLSSession``.
///
/// `@unchecked Sendable` holds because the method table is not changed after it is made. A BIO's data is its
/// session, which owns it and is alive whenever OpenSSL is called.
final class TLSBIO: @unchecked Sendable {
  private static let shared = TLSBIO()

  private let method: OpaquePointer?

  private init() {
    method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "event loop")
    guard let method else { return }
    BIO_meth_set_create(method) { bio in
      BIO_set_init(bio, 1)
      return 1
    }
    BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
    BIO_meth_set_read(method) { bio, destination, limit in
      guard let bio, let destination, let data = BIO_get_data(bio) else { return -1 }
      tls_bio_clear_flags(bio)
      let count = Unmanaged<TLSSession>.fromOpaque(data)._withUnsafeGuaranteedRef {
        $0.giveInput(destination, Int(limit))
      }
      guard count == 0 else { return Int32(count) }
      tls_bio_ask_again(bio)
      return -1
    }
    BIO_meth_set_write(method) { bio, bytes, count in
      guard let bio, let bytes, let data = BIO_get_data(bio) else { return -1 }
      tls_bio_clear_flags(bio)
      Unmanaged<TLSSession>.fromOpaque(data)._withUnsafeGuaranteedRef {
        $0.takeOutput(bytes, Int(count))
      }
      return count
    }
  }

  /// Makes a BIO, whose data is to be set to its session.
  static func make() -> OpaquePointer? {
    shared.method.flatMap { BIO_new($0) }
  }
}
