/// What both sides' public configurations come down to.
struct TLSSettings: Sendable {
  enum Role: Sendable {
    case client
    case server
  }

  var role: Role
  /// The own certificate first, then those that lead from it to an authority. Only a client may have none.
  var certificateChain: [TLSConfig.CertificateSource]
  var privateKey: TLSConfig.PrivateKeySource?
  var verification: TLSConfig.CertificateVerification
  var trustRoots: TLSConfig.TrustRootsSource
  /// Is told, in a sentence, why changed files are not used.
  var onReloadFailure: (@Sendable (String) -> Void)?

  /// The files that all this is read from.
  var files: [String] {
    var all = certificateChain.map(\.bytes)
    if let privateKey { all.append(privateKey.bytes) }
    if case .certificates(let sources) = trustRoots.source { all += sources.map(\.bytes) }
    return all.compactMap { if case .file(let path) = $0 { path } else { nil } }
  }
}
