import CLinux
import COpenSSL
import GRPCCore
import Glibc

extension PeerCertificate {
  /// Reads what the peer of a connection has shown.
  ///
  /// - Parameter ssl: An `SSL` whose peer was verified.
  init?(of ssl: OpaquePointer) {
    // Both belong to the connection, and nothing here outlives this call.
    guard let own = SSL_get0_peer_certificate(ssl) else { return nil }
    let verified = SSL_get0_verified_chain(ssl)
    let count = tls_count_certificates(verified)
    // A resumed session remembers the peer's own certificate alone.
    let chain =
      count == 0
      ? [Self.der(of: own)]
      : (0..<count).map { tls_certificate(verified, $0).map(Self.der(of:)) ?? [] }
    self.init(chain: chain, subject: Self.subject(of: own), names: Self.names(of: own))
  }

  static func der(of certificate: OpaquePointer) -> [UInt8] {
    let size = Int(i2d_X509(certificate, nil))
    guard size > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      var end = buffer.baseAddress
      count = max(0, Int(i2d_X509(certificate, &end)))
    }
  }

  private static func subject(of certificate: OpaquePointer) -> String {
    guard let bio = BIO_new(BIO_s_mem()) else { return "" }
    defer { BIO_free(bio) }
    X509_NAME_print_ex(bio, X509_get_subject_name(certificate), 0, tls_name_format)
    let bytes = [UInt8](unsafeUninitializedCapacity: 1024) { buffer, count in
      count = max(0, Int(BIO_read(bio, buffer.baseAddress, Int32(buffer.count))))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func names(of certificate: OpaquePointer) -> [Name] {
    guard let opaque = X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil) else {
      return []
    }
    let names = OpaquePointer(opaque)
    defer { GENERAL_NAMES_free(names) }
    return (0..<tls_count_names(names)).compactMap { index in
      guard let name = tls_name(names, index) else { return nil }
      switch name.pointee.type {
      case GEN_DNS: return .dns(text(name.pointee.d.ia5))
      case GEN_URI: return .uri(text(name.pointee.d.ia5))
      case GEN_EMAIL: return .email(text(name.pointee.d.ia5))
      case GEN_IPADD: return address(bytes(name.pointee.d.ip)).map { .ipAddress($0) }
      default: return nil
      }
    }
  }

  private static func bytes(_ string: UnsafePointer<ASN1_STRING>?) -> [UInt8] {
    guard let string, let base = ASN1_STRING_get0_data(string) else { return [] }
    return Array(UnsafeBufferPointer(start: base, count: Int(ASN1_STRING_length(string))))
  }

  private static func text(_ string: UnsafePointer<ASN1_STRING>?) -> String {
    String(decoding: bytes(string), as: UTF8.self)
  }

  private static func address(_ bytes: [UInt8]) -> String? {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
