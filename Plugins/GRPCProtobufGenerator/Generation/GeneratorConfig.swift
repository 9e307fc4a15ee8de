import FoundationEssentials

/// What a `grpc-swift-proto-generator-config.json` says about the `.proto` files beside and below
/// it.
struct GeneratorConfig: Equatable {
  /// The configuration's file name.
  static let fileName = "grpc-swift-proto-generator-config.json"

  enum AccessLevel: String, CaseIterable {
    case `internal`
    case `package`
    case `public`

    /// The generators' word for it.
    var visibility: String {
      switch self {
      case .internal: "Internal"
      case .package: "Package"
      case .public: "Public"
      }
    }
  }

  /// The file that this was read from.
  var url: URL

  var generatesClients = true
  var generatesServers = true
  var generatesMessages = true
  var accessLevel = AccessLevel.internal
  var accessLevelOnImports = false
  /// As written; relative to the configuration's folder.
  var protocPath: String?
  /// As written; relative to the configuration's folder, which they stand for when empty.
  var importPaths: [String] = []

  var folder: URL { url.deletingLastPathComponent() }

  var generatesServices: Bool { generatesClients || generatesServers }

  /// What of this a build is planned by. The generators read all the rest when they run, so that an
  /// edit takes effect at once: SwiftPM plans anew only when the manifest or the set of files
  /// changes.
  var plan: String {
    let text = ([protocPath ?? ""] + importPaths).joined(separator: "\n")
    // FNV-1a: the text itself may hold what parts a generator's options.
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3
    }
    return String(hash, radix: 16)
  }

  /// The folders in which `import` statements are looked up, first match first.
  var importFolders: [URL] {
    importPaths.isEmpty ? [folder] : importPaths.map { folder.resolving($0) }
  }

  /// The configurations among a target's files.
  static func load(from files: [URL]) throws -> [GeneratorConfig] {
    try files.filter { $0.lastPathComponent == fileName }.map { url in
      try GeneratorConfig(parsing: Data(contentsOf: url), from: url)
    }
  }
}

extension [GeneratorConfig] {
  /// The configuration in the nearest folder that holds `file`, at whatever depth.
  func nearest(to file: URL) -> GeneratorConfig? {
    filter { file.path.hasPrefix($0.folder.directoryPath) }
      .max { $0.folder.directoryPath.count < $1.folder.directoryPath.count }
  }
}

extension URL {
  /// The path with a slash at its end, so that it is a prefix of what lies below it alone.
  var directoryPath: String { path.hasSuffix("/") ? path : path + "/" }

  /// `path` itself when absolute, else below this folder.
  func resolving(_ path: String) -> URL {
    path.hasPrefix("/")
      ? URL(filePath: path).standardizedFileURL
      : appending(path: path).standardizedFileURL
  }
}
