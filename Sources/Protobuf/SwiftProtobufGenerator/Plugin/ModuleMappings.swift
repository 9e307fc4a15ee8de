import FoundationEssentials

/// Which Swift module holds the code of which .proto file.
public struct ModuleMappings: Sendable {
  /// The files whose code the runtime brings along.
  static let wellKnownFiles: Set<String> = Set(
    [
      "any", "api", "descriptor", "duration", "empty", "field_mask", "source_context", "struct",
      "timestamp", "type", "wrappers",
    ]
    .map { "google/protobuf/\($0).proto" })

  private var modules: [String: String] = [:]
  /// The module of the runtime.
  var runtime = "SwiftProtobuf"

  /// Everything in one module, except what the runtime brings along.
  public init() {}

  /// Reads mappings in the text format of swift-protobuf's `ModuleMappings`:
  ///
  /// ```
  /// mapping { module_name: "KartAPI" proto_file_path: "swift_kart_service.proto" }
  /// ```
  ///
  /// - Parameter path: of the file.
  /// - Throws: ``GeneratorError/invalidModuleMappings(path:problem:)``.
  public init(contentsOf path: String) throws {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw GeneratorError.invalidModuleMappings(path: path, problem: "the file can't be read")
    }
    try self.init(String(decoding: data, as: UTF8.self), path: path)
  }

  /// Reads mappings from a text.
  ///
  /// - Parameters:
  ///   - text: in the text format.
  ///   - path: what errors call it.
  public init(_ text: String, path: String) throws {
    var reader = Reader(text: text, path: path)
    while let word = try reader.next() {
      guard word == "mapping", try reader.next() == "{" else {
        throw reader.failure("expected 'mapping {'")
      }
      try readMapping(&reader)
    }
  }

  private mutating func readMapping(_ reader: inout Reader) throws {
    var module: String?
    var files: [String] = []
    while let word = try reader.next(), word != "}" {
      switch word {
      case "module_name": module = try reader.string()
      case "proto_file_path": files += try reader.strings()
      default: throw reader.failure("there is no field '\(word)'")
      }
    }
    guard let module, !module.isEmpty else {
      throw reader.failure("a mapping has no module_name")
    }
    for file in files {
      if let other = modules.updateValue(module, forKey: file), other != module {
        throw reader.failure("'\(file)' is mapped to both \(other) and \(module)")
      }
    }
  }

  /// The module that holds a file's code; nil if it is the one that is being generated.
  public func module(of file: String) -> String? {
    ModuleMappings.wellKnownFiles.contains(file) ? runtime : modules[file]
  }
}

extension ModuleMappings {
  /// Reads words, marks and strings, without white space and comments.
  private struct Reader {
    private var rest: Substring
    private let path: String

    init(text: String, path: String) {
      self.rest = Substring(text)
      self.path = path
    }

    func failure(_ problem: String) -> GeneratorError {
      .invalidModuleMappings(path: path, problem: problem)
    }

    private mutating func skipSpace() {
      while let first = rest.first {
        if first == "#" {
          rest = rest.drop { !$0.isNewline }
        } else if first.isWhitespace || first == "," || first == ";" {
          rest.removeFirst()
        } else {
          return
        }
      }
    }

    /// The next word or mark; nil at the end.
    mutating func next() throws -> String? {
      skipSpace()
      guard let first = rest.first else { return nil }
      if first.isLetter {
        let word = rest.prefix { $0.isLetter || $0 == "_" }
        rest = rest.dropFirst(word.count)
        return String(word)
      }
      rest.removeFirst()
      return String(first)
    }

    /// A colon and a string.
    mutating func string() throws -> String {
      let all = try strings()
      guard all.count == 1, let only = all.first else { throw failure("expected one string") }
      return only
    }

    /// A colon and a string or a list of strings.
    mutating func strings() throws -> [String] {
      guard try next() == ":" else { throw failure("expected ':'") }
      skipSpace()
      guard rest.first == "[" else { return [try quoted()] }
      rest.removeFirst()
      var all: [String] = []
      skipSpace()
      while rest.first != "]" {
        all.append(try quoted())
        skipSpace()
      }
      rest.removeFirst()
      return all
    }

    private mutating func quoted() throws -> String {
      guard let quote = rest.first, quote == "\"" || quote == "'" else {
        throw failure("expected a string")
      }
      let text = rest.dropFirst().prefix { $0 != quote && !$0.isNewline }
      rest = rest.dropFirst(text.count + 1)
      guard rest.first == quote else { throw failure("a string does not end") }
      rest.removeFirst()
      return String(text)
    }
  }
}
