import FoundationEssentials

/// How one `.proto` file becomes Swift.
struct ProtoGeneration {
  /// One command of the build.
  struct Run: Equatable {
    var executable: URL
    var arguments: [String]
    /// Every file whose change asks for the command to run again.
    var inputs: [URL]
    var output: URL
  }

  private let config: GeneratorConfig
  private let protoc: URL
  /// The file's name as protoc knows it: its path within its import folder.
  private let name: String
  private let inputs: [URL]
  private let outputFolder: URL

  /// - Throws: `GeneratorError.outsideImportPaths` for a file that no import folder holds.
  init(of proto: URL, config: GeneratorConfig, protoc: URL, outputFolder: URL) throws {
    self.config = config
    self.protoc = protoc
    self.outputFolder = outputFolder
    guard let folder = config.importFolders.first(where: { proto.path.hasPrefix($0.directoryPath) })
    else { throw GeneratorError.outsideImportPaths(proto: proto, config: config) }
    name = String(proto.path.dropFirst(folder.directoryPath.count))
    inputs =
      try [proto, config.url] + ProtoImports.files(importedBy: proto, in: config.importFolders)
  }

  /// Generates the messages, with `protoc-gen-swift`.
  func messages(generator: URL) -> Run {
    run(generator, named: "swift", options: [], suffix: "pb.swift")
  }

  /// Generates the services, with `protoc-gen-grpc-swift-2`.
  func services(generator: URL) -> Run {
    let options = ["Client=\(config.generatesClients)", "Server=\(config.generatesServers)"]
    return run(generator, named: "grpc-swift-2", options: options, suffix: "grpc.swift")
  }

  private func run(
    _ generator: URL, named plugin: String, options: [String], suffix: String
  ) -> Run {
    let options =
      options + [
        "Visibility=\(config.accessLevel.visibility)",
        "UseAccessLevelOnImports=\(config.accessLevelOnImports)",
        // A module cannot hold two files of one name, and v1 and v1alpha of a contract share theirs.
        "FileNaming=PathToUnderscores",
      ]
    let arguments =
      ["--plugin=protoc-gen-\(plugin)=\(generator.path)", "--\(plugin)_out=\(outputFolder.path)"]
      + options.map { "--\(plugin)_opt=\($0)" }
      + config.importFolders.map { "--proto_path=\($0.path)" }
      + [name]
    return Run(
      executable: URL(filePath: "/bin/sh"),
      arguments: ["-c", Self.script, config.url.path, config.text, protoc.path] + arguments,
      inputs: inputs + [protoc, generator], output: output(suffix))
  }

  /// SwiftPM asks the plugin for its commands again only when the manifest or the set of files
  /// changes. A configuration that was edited meanwhile would be silently passed over, so the
  /// command compares it with what it was planned from, and then runs protoc.
  private static let script = """
    planned=$1; shift
    if [ "$(cat "$0")" = "$planned" ]; then exec "$@"; fi
    echo "error: $0 has changed since the build was planned; \
    touch Package.swift and build again." >&2
    exit 1
    """

  private func output(_ suffix: String) -> URL {
    let base = name.hasSuffix(".proto") ? String(name.dropLast(6)) : name
    let file = base.split(separator: "/").joined(separator: "_")
    return outputFolder.appending(path: "\(file).\(suffix)")
  }
}
