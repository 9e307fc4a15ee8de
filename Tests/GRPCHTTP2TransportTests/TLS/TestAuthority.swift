import COpenSSL
import GRPCCore
import Glibc
import KartTesting

@testable import GRPCHTTP2Transport

/// An authority that exists for a test, and issues certificates of P-256 keys.
///
/// `@unchecked Sendable` holds because its pointers are written once, in `init`; OpenSSL lets threads sign
/// with one key.
final class TestAuthority: @unchecked Sendable {
  /// A certificate and its key, as files and as bytes in PEM.
  struct Identity {
    var certificate: [UInt8]
    var key: [UInt8]

    var chain: [TLSConfig.CertificateSource] { [.bytes(certificate)] }
    /// The certificate in DER.
    var der: [UInt8] {
      let lines = String(decoding: certificate, as: UTF8.self).split(separator: "\n")
      return Base64.decode(lines.filter { !$0.hasPrefix("-") }.joined().utf8) ?? []
    }

    var privateKey: TLSConfig.PrivateKeySource { .bytes(key) }

    /// Writes both beside each other.
    func write(to folder: String) {
      TemporaryFolder.write(certificate, to: "\(folder)/cert.pem")
      TemporaryFolder.write(key, to: "\(folder)/key.pem")
    }
  }

  enum Form {
    case pkcs8
    case traditional
  }

  private let key: OpaquePointer
  private let certificate: OpaquePointer

  /// Makes an authority, of its own or under another.
  init(_ name: String = "Test authority", under parent: TestAuthority? = nil) {
    key = Self.makeKey()
    certificate = Self.makeCertificate(
      subject: name, names: nil, key: key, issuer: parent.map { ($0.certificate, $0.key) },
      isAuthority: true, days: 3650)
  }

  deinit {
    X509_free(certificate)
    EVP_PKEY_free(key)
  }

  /// The authority's own certificate in PEM.
  var root: [UInt8] { Self.pem(certificate) }

  var trust: TLSConfig.TrustRootsSource { .certificates([.bytes(root)]) }

  /// Issues a certificate.
  ///
  /// - Parameters:
  ///   - names: The alternative names, as `DNS:localhost,IP:127.0.0.1`.
  ///   - days: How long it is valid; negative if it is no more.
  func issue(
    _ subject: String, names: String = "DNS:localhost,IP:127.0.0.1", days: Int = 3650,
    form: Form = .pkcs8
  ) -> Identity {
    let key = Self.makeKey()
    defer { EVP_PKEY_free(key) }
    let certificate = Self.makeCertificate(
      subject: subject, names: names, key: key, issuer: (self.certificate, self.key),
      isAuthority: false, days: days)
    defer { X509_free(certificate) }
    return Identity(certificate: Self.pem(certificate), key: Self.pem(key: key, form))
  }

  private static func makeKey() -> OpaquePointer {
    let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil)
    defer { EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    EVP_PKEY_keygen_init(context)
    EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1)
    EVP_PKEY_keygen(context, &key)
    return key!
  }

  private static func makeCertificate(
    subject: String, names: String?, key: OpaquePointer,
    issuer: (certificate: OpaquePointer, key: OpaquePointer)?, isAuthority: Bool, days: Int
  ) -> OpaquePointer {
    let certificate = X509_new()!
    X509_set_version(certificate, 2)
    ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), .random(in: 1...(.max >> 2)))
    let day = 86_400
    X509_gmtime_adj(X509_getm_notBefore(certificate), (min(days, 0) - 1) * day)
    X509_gmtime_adj(X509_getm_notAfter(certificate), days * day)
    let name = X509_get_subject_name(certificate)
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, subject, -1, -1, 0)
    X509_set_issuer_name(certificate, issuer.map { X509_get_subject_name($0.certificate) } ?? name)
    X509_set_pubkey(certificate, key)
    add(NID_basic_constraints, isAuthority ? "critical,CA:TRUE" : "critical,CA:FALSE", certificate)
    if let names { add(NID_subject_alt_name, names, certificate) }
    X509_sign(certificate, issuer?.key ?? key, EVP_sha256())
    return certificate
  }

  private static func add(_ type: Int32, _ value: String, _ certificate: OpaquePointer) {
    var context = v3_ext_ctx()
    X509V3_set_ctx(&context, certificate, certificate, nil, nil, 0)
    let part = X509V3_EXT_conf_nid(nil, &context, type, value)
    X509_add_ext(certificate, part, -1)
    X509_EXTENSION_free(part)
  }

  private static func pem(_ certificate: OpaquePointer) -> [UInt8] {
    bytes { PEM_write_bio_X509($0, certificate) }
  }

  private static func pem(key: OpaquePointer, _ form: Form) -> [UInt8] {
    bytes {
      switch form {
      case .pkcs8: PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil)
      case .traditional: PEM_write_bio_PrivateKey_traditional($0, key, nil, nil, 0, nil, nil)
      }
    }
  }

  private static func bytes(_ write: (OpaquePointer?) -> Int32) -> [UInt8] {
    let bio = BIO_new(BIO_s_mem())
    defer { BIO_free(bio) }
    _ = write(bio)
    return [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = Int(BIO_read(bio, buffer.baseAddress, Int32(buffer.count)))
    }
  }
}
