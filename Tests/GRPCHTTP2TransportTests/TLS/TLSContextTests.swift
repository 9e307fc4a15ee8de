import Glibc
import KartTesting
import Synchronization
import Testing

@testable import GRPCHTTP2Transport

/// What certificates and keys are taken, and how they are taken anew.
@Suite struct TLSContextTests {
  private let authority = TestAuthority()
  private let folder = TemporaryFolder()

  private func settings(
    onReloadFailure: (@Sendable (String) -> Void)? = nil
  ) -> TLSSettings {
    TLSSettings(
      role: .server, certificateChain: [.file(path: "\(folder.path)/cert.pem")],
      privateKey: .file(path: "\(folder.path)/key.pem"), verification: .noVerification,
      trustRoots: .systemDefault, onReloadFailure: onReloadFailure)
  }

  private func failure(_ settings: TLSSettings) -> String? {
    #expect(throws: TLSError.self) { try TLSContext(settings) }?.description
  }

  @Test(arguments: [TestAuthority.Form.pkcs8, .traditional])
  func keysOfEitherFormAreRead(form: TestAuthority.Form) throws {
    authority.issue("server", form: form).write(to: folder.path)
    _ = try TLSContext(settings())
  }

  @Test func whatIsOfNoUseIsNamed() throws {
    let identity = authority.issue("server")
    #expect(
      failure(settings()) == "\(folder.path)/cert.pem cannot be read: No such file or directory")
    TemporaryFolder.write(identity.certificate, to: "\(folder.path)/cert.pem")
    #expect(
      failure(settings()) == "\(folder.path)/key.pem cannot be read: No such file or directory")
    TemporaryFolder.write(authority.issue("other").key, to: "\(folder.path)/key.pem")
    #expect(
      failure(settings())
        == "the key in \(folder.path)/key.pem does not belong to the certificate in "
        + "\(folder.path)/cert.pem")
    TemporaryFolder.write(Array("nothing".utf8), to: "\(folder.path)/key.pem")
    #expect(failure(settings()) == "\(folder.path)/key.pem holds no private key in PEM")
    let encrypted = """
      -----BEGIN ENCRYPTED PRIVATE KEY-----
      MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgkAyCVkU5KRAICCAAw
      -----END ENCRYPTED PRIVATE KEY-----
      """
    TemporaryFolder.write(Array(encrypted.utf8), to: "\(folder.path)/key.pem")
    #expect(
      failure(settings())
        == "\(folder.path)/key.pem is encrypted; decrypt it with “openssl pkey”")
    TemporaryFolder.write([], to: "\(folder.path)/cert.pem")
    #expect(failure(settings()) == "\(folder.path)/cert.pem holds no certificate in PEM")
    let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
    TemporaryFolder.write(
      identity.certificate + Array(broken.utf8), to: "\(folder.path)/cert.pem")
    #expect(failure(settings())?.hasPrefix("\(folder.path)/cert.pem holds a broken") == true)
    var none = settings()
    none.certificateChain = []
    #expect(failure(none) == "there is no certificate")
  }

  @Test func filesAreReadAgainWhenTheyHaveChanged() throws {
    let failures = Mutex<[String]>([])
    authority.issue("first").write(to: folder.path)
    let source = try TLSContextSource(
      settings { reason in failures.withLock { $0.append(reason) } })
    func subject() throws -> String? {
      let pair = try TLSPair(client: .client(trusting: authority), server: source.current())
      try pair.handshake()
      return pair.client.peerCertificate?.subject
    }
    #expect(try subject() == "CN=first")
    #expect(source.current() === source.current())
    let second = authority.issue("second")
    // Between the two renames certificate and key do not belong together.
    TemporaryFolder.write(second.certificate, to: "\(folder.path)/cert.pem")
    #expect(try subject() == "CN=first")
    #expect(try subject() == "CN=first")
    #expect(failures.withLock { $0.count } == 1)
    TemporaryFolder.write(second.key, to: "\(folder.path)/key.pem")
    #expect(try subject() == "CN=second")
    unlink("\(folder.path)/key.pem")
    #expect(try subject() == "CN=second")
    #expect(failures.withLock { $0.last?.contains("key.pem cannot be read") } == true)
    #expect(failures.withLock { $0.count } == 2)
  }
}
