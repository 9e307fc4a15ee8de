import FoundationEssentials

/// The `import` statements of a `.proto` file.
///
/// protoc's own answer (`--dependency_out`) would come only after the build has been planned, so the
/// statements are read here: strings and comments are told apart, nothing else is parsed.
enum ProtoImports {
  /// The files that `proto` imports, directly or through others, as far as they are found in
  /// `folders`. What is not found there is protoc's own (`google/protobuf/…`) or protoc's to report.
  static func files(importedBy proto: URL, in folders: [URL]) throws -> [URL] {
    var found: [URL] = []
    var visited: Set<String> = []
    var pending = try names(in: String(contentsOf: proto, encoding: .utf8))
    while let name = pending.popLast() {
      guard visited.insert(name).inserted else { continue }
      let candidates = folders.map { $0.appending(path: name) }
      guard let file = candidates.first(where: { $0.isFile }) else { continue }
      found.append(file)
      pending += names(in: try String(contentsOf: file, encoding: .utf8))
    }
    return found.sorted { $0.path < $1.path }
  }

  /// The names in the `import` statements of a file's text, in their order.
  static func names(in text: String) -> [String] {
    var names: [String] = []
    var statement: [Token] = []
    var tokens = Tokens(text)
    while let token = tokens.next() {
      switch token {
      case .symbol(";"), .symbol("{"), .symbol("}"):
        if let name = importedName(statement) { names.append(name) }
        statement = []
      default:
        statement.append(token)
      }
    }
    return names
  }

  private static func importedName(_ statement: [Token]) -> String? {
    switch statement.first {
    case .word("import"): break
    default: return nil
    }
    // Adjacent literals are one string; `public`, `weak` and `option` may stand before it.
    let literals = statement.compactMap { token in
      if case .literal(let value) = token { value } else { nil }
    }
    return literals.isEmpty ? nil : literals.joined()
  }

  enum Token: Equatable {
    case word(String)
    case literal(String)
    case symbol(Character)
  }

  /// Splits a `.proto` file's text into words, string literals and symbols, without its comments.
  struct Tokens: IteratorProtocol {
    private var rest: Substring

    init(_ text: String) { rest = text[...] }

    mutating func next() -> Token? {
      skipSpaceAndComments()
      guard let first = rest.first else { return nil }
      if first == "\"" || first == "'" {
        return .literal(takeLiteral(quote: rest.removeFirst()))
      }
      let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
      if word.isEmpty { return .symbol(rest.removeFirst()) }
      rest.removeFirst(word.count)
      return .word(String(word))
    }

    private mutating func skipSpaceAndComments() {
      while true {
        rest = rest.drop(while: \.isWhitespace)
        if rest.hasPrefix("//") {
          rest = rest.drop { !$0.isNewline }
        } else if rest.hasPrefix("/*") {
          rest = rest.dropFirst(2)
          while !rest.isEmpty, !rest.hasPrefix("*/") { rest.removeFirst() }
          rest = rest.dropFirst(2)
        } else {
          return
        }
      }
    }

    private mutating func takeLiteral(quote: Character) -> String {
      var value = ""
      while let character = rest.popFirst(), character != quote {
        if character == "\\", let escaped = rest.popFirst() {
          value.append(escaped)
        } else {
          value.append(character)
        }
      }
      return value
    }
  }
}

extension URL {
  /// Whether there is a file, not a folder, here.
  var isFile: Bool {
    var isFolder = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder
  }
}
