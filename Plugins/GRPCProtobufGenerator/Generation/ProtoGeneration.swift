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

  /// How output files are named after `.proto` files: the generators' own word for it.
  enum FileNaming: String, CaseIterable {
    case fullPath = "FullPath"
    // A module cannot hold two files of one name, and v1 and v1alpha of a contract share theirs.
    case pathToUnderscores = "PathToUnderscores"
    case dropPath = "DropPath"
  }

  private let config: GeneratorConfig
  private let protoc: URL
  /// The file's name as protoc knows it: its path within its import folder.
  private let name: String
  private let inputs: [URL]
  private let outputFolder: URL
  private let fileNaming: FileNaming
  private let readsConfig: Bool

  /// - Parameters:
  ///   - siblings: the other files that are generated from in the same build, which this one may
  ///     come to import: SwiftPM plans anew only when files come or go, so that they have to be
  ///     inputs from the start.
  ///   - readsConfig: whether the generators read the configuration's file when they run.
  /// - Throws: `GeneratorError.outsideImportPaths` for a file that no import folder holds.
  init(
    of proto: URL, config: GeneratorConfig, protoc: URL, outputFolder: URL, siblings: [URL] = [],
    fileNaming: FileNaming = .pathToUnderscores, readsConfig: Bool = true
  ) throws {
    self.fileNaming = fileNaming
    self.readsConfig = readsConfig
    self.config = config
    self.protoc = protoc
    self.outputFolder = outputFolder
    guard let folder = config.importFolders.first(where: { proto.path.hasPrefix($0.directoryPath) })
    else { throw GeneratorError.outsideImportPaths(proto: proto, config: config) }
    name = String(proto.path.dropFirst(folder.directoryPath.count))
    let reachable = siblings.filter { sibling in
      config.importFolders.contains { sibling.path.hasPrefix($0.directoryPath) }
    }
    let imports = try ProtoImports.files(importedBy: proto, in: config.importFolders)
    let others = Set((imports + reachable).map(\.path)).subtracting([proto.path]).sorted()
    inputs = [proto, config.url] + others.map { URL(filePath: $0) }
  }

  /// Generates the messages, with `protoc-gen-swift`.
  func messages(generator: URL) -> Run {
    run(generator, named: "swift", options: [], suffix: "pb.swift")
  }

  /// Generates the services, with `protoc-gen-grpc-swift-2`.
  func services(generator: URL) -> Run {
    let options = ["Client=\(config.generatesClients)", "Server=\(config.generatesServers)"]
    return run(
      generator, named: "grpc-swift-2", options: readsConfig ? [] : options, suffix: "grpc.swift")
  }

  private func run(
    _ generator: URL, named plugin: String, options: [String], suffix: String
  ) -> Run {
    let options = options + commonOptions + ["FileNaming=\(fileNaming.rawValue)"]
    let arguments =
      ["--plugin=protoc-gen-\(plugin)=\(generator.path)", "--\(plugin)_out=\(outputFolder.path)"]
      + options.map { "--\(plugin)_opt=\($0)" }
      + config.importFolders.map { "--proto_path=\($0.path)" }
      + [name]
    return Run(
      executable: protoc, arguments: arguments, inputs: inputs + [protoc, generator],
      output: output(suffix))
  }

  private var commonOptions: [String] {
    guard readsConfig else {
      return [
        "Visibility=\(config.accessLevel.visibility)",
        "UseAccessLevelOnImports=\(config.accessLevelOnImports)",
      ]
    }
    // A comma would part options.
    let path = config.url.path.replacing("%", with: "%25").replacing(",", with: "%2C")
    return ["Config=\(path)", "Plan=\(config.plan)"]
  }

  private func output(_ suffix: String) -> URL {
    let base = name.hasSuffix(".proto") ? String(name.dropLast(6)) : name
    let parts = base.split(separator: "/")
    let file =
      switch fileNaming {
      case .fullPath: parts.joined(separator: "/")
      case .pathToUnderscores: parts.joined(separator: "_")
      case .dropPath: parts.suffix(1).joined()
      }
    return outputFolder.appending(path: "\(file).\(suffix)")
  }
}
