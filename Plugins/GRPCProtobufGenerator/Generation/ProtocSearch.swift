import Foundation

/// Finds protoc: where the configuration says, else where `PROTOC_PATH` says, else on `PATH`, else
/// where the package's bootstrap puts it.
struct ProtocSearch {
  /// Editions 2024 asks for this one; distributions often carry an older.
  static let oldestMajorVersion = 32

  private let environment: [String: String]
  private let packageFolder: URL
  private let version: (URL) -> String?
  private var found: URL?
  /// What was named and is new enough.
  private var accepted: Set<URL> = []

  /// - Parameter version: the version that the protoc at a path reports; nil when it reports none.
  init(
    environment: [String: String] = ProcessInfo.processInfo.environment, packageFolder: URL,
    version: @escaping (URL) -> String? = Self.askVersion
  ) {
    self.environment = environment
    self.packageFolder = packageFolder
    self.version = version
  }

  /// - Throws: `GeneratorError.noProtoc`, which says where it was looked for, or
  ///   `GeneratorError.unfitProtoc` for one that was named and can't be used.
  mutating func protoc(for config: GeneratorConfig) throws -> URL {
    if let path = config.protocPath {
      return try accept(
        config.folder.resolving(path), sayer: "“protoc.executablePath” in \(config.url.path)")
    }
    if let path = environment["PROTOC_PATH"], !path.isEmpty {
      return try accept(packageFolder.resolving(path), sayer: "PROTOC_PATH")
    }
    if let found { return found }
    let url = try search()
    found = url
    return url
  }

  /// The protoc that the user named, if it can be used.
  private mutating func accept(_ url: URL, sayer: String) throws -> URL {
    if !accepted.contains(url), let problem = problem(with: url) {
      throw GeneratorError.unfitProtoc(
        url, sayer: sayer, problem: problem, packageFolder: packageFolder)
    }
    accepted.insert(url)
    return url
  }

  private func search() throws -> URL {
    var lookedAt = ["PROTOC_PATH (not set)"]
    let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    var onPath = "PATH (not there)"
    for candidate in folders.map({ packageFolder.resolving($0).appending(path: "protoc") })
    where candidate.isExecutable {
      guard let problem = problem(with: candidate) else { return candidate }
      onPath = "PATH (\(candidate.path) \(problem))"
    }
    lookedAt.append(onPath)
    let bootstrapped = packageFolder.appending(path: ".build/protoc/bin/protoc")
    guard bootstrapped.isExecutable else {
      lookedAt.append("\(bootstrapped.path) (not there)")
      throw GeneratorError.noProtoc(lookedAt: lookedAt, packageFolder: packageFolder)
    }
    guard let problem = problem(with: bootstrapped) else { return bootstrapped }
    lookedAt.append("\(bootstrapped.path) (\(problem))")
    throw GeneratorError.noProtoc(lookedAt: lookedAt, packageFolder: packageFolder)
  }

  /// Why a program can't be used; nil if it can.
  private func problem(with protoc: URL) -> String? {
    guard protoc.isExecutable else { return "is not an executable file" }
    guard let version = version(protoc) else { return "does not tell its version" }
    let major = version.split(separator: ".").first.flatMap { Int($0) } ?? 0
    return major >= Self.oldestMajorVersion ? nil : "is version \(version)"
  }

  /// Asks for the version: `36.2`, or `3.21.12` from the days before majors counted.
  static func askVersion(of protoc: URL) -> String? {
    let process = Process()
    let output = Pipe()
    process.executableURL = protoc
    process.arguments = ["--version"]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let words = text.split(whereSeparator: \.isWhitespace)
    return words.count == 2 && words[0] == "libprotoc" ? String(words[1]) : nil
  }
}

extension URL {
  fileprivate var isExecutable: Bool {
    isFile && FileManager.default.isExecutableFile(atPath: path)
  }
}
