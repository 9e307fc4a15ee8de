import Foundation

/// What a command line of `swift package generate-grpc-code-from-protos` asks for.
struct GenerateCommand {
  /// The flags, in the form of a configuration.
  var config: GeneratorConfig
  /// How output files are named after `.proto` files.
  var fileNaming = ProtoGeneration.FileNaming.fullPath
  /// Where the output goes.
  var outputFolder: URL
  /// Whether each protoc command is shown.
  var isVerbose = false
  /// Whether nothing but the flags' meaning is asked for.
  var showsHelp = false
  /// The `.proto` files, and folders of such, that were named.
  private var inputs: [URL] = []

  static let help = """
    Usage: swift package generate-grpc-code-from-protos [flags] [--] <.proto files and folders>

    Flags:
      --[no-]messages               whether to generate messages (default: yes)
      --[no-]clients                whether to generate clients (default: yes)
      --[no-]servers                whether to generate servers (default: yes)
      --access-level <level>        internal, package or public (default: internal)
      --[no-]access-level-on-imports  whether imports have the access level (default: no)
      --file-naming <naming>        FullPath, PathToUnderscores or DropPath (default: FullPath)
      --import-path <folder>        where imports are looked up; may be repeated (default: the package)
      --protoc-path <file>          protoc (default: PROTOC_PATH, PATH, .build/protoc)
      --output-path <folder>        where the output goes (default: the package)
      --verbose                     shows each protoc command
      --help                        shows this
    """

  /// Reads a command line.
  ///
  /// - Parameter packageFolder: what paths are relative to.
  /// - Throws: `GeneratorError.badArgument`, naming the argument.
  init(arguments: [String], packageFolder: URL) throws {
    outputFolder = packageFolder
    config = GeneratorConfig(url: packageFolder.appending(path: "command line"))
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        inputs += rest.map { packageFolder.resolving($0) }
        break
      }
      guard argument.hasPrefix("-") else {
        inputs.append(packageFolder.resolving(argument))
        continue
      }
      try read(argument, &rest, packageFolder: packageFolder)
    }
  }

  private mutating func read(
    _ flag: String, _ rest: inout ArraySlice<String>, packageFolder: URL
  ) throws {
    func value() throws -> String {
      guard let value = rest.popFirst() else {
        throw GeneratorError.badArgument("\(flag) needs a value")
      }
      return value
    }
    func choice<Choice: RawRepresentable<String> & CaseIterable>() throws -> Choice {
      let value = try value()
      guard let choice = Choice(rawValue: value) else {
        let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw GeneratorError.badArgument("\(flag) can't be “\(value)”; it may be one of \(choices)")
      }
      return choice
    }
    switch flag {
    case "--messages", "--no-messages": config.generatesMessages = flag == "--messages"
    case "--clients", "--no-clients": config.generatesClients = flag == "--clients"
    case "--servers", "--no-servers": config.generatesServers = flag == "--servers"
    case "--access-level-on-imports", "--no-access-level-on-imports":
      config.accessLevelOnImports = flag == "--access-level-on-imports"
    case "--access-level": config.accessLevel = try choice()
    case "--file-naming": fileNaming = try choice()
    case "--import-path": config.importPaths.append(try value())
    case "--protoc-path": config.protocPath = try value()
    case "--output-path": outputFolder = packageFolder.resolving(try value())
    case "--verbose": isVerbose = true
    case "--help", "-h": showsHelp = true
    default:
      throw GeneratorError.badArgument("there is no flag \(flag); --help shows those there are")
    }
  }

  /// The `.proto` files that were named, and those in the folders that were.
  ///
  /// - Throws: `GeneratorError.badArgument` if there are none.
  func protos() throws -> [URL] {
    guard !inputs.isEmpty else {
      throw GeneratorError.badArgument(
        "no .proto file was named; name files, or folders that hold some, behind “--”")
    }
    return try inputs.flatMap { input -> [URL] in
      if input.isFile { return [input] }
      let found = FileManager.default.enumerator(at: input, includingPropertiesForKeys: nil)?
        .compactMap { $0 as? URL }
        .filter { $0.pathExtension == "proto" }
        .map(\.standardizedFileURL)
        .sorted { $0.path < $1.path }
      guard let found, !found.isEmpty else {
        throw GeneratorError.badArgument(
          "\(input.path) is neither a .proto file nor a folder that holds one")
      }
      return found
    }
  }
}
