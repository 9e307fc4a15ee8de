import FoundationEssentials

extension GeneratorConfig {
  /// Reads a configuration.
  ///
  /// - Throws: `GeneratorError.badConfig`, naming the key, for a key that is unknown and for a
  ///   value that does not fit its key.
  init(parsing data: Data, from url: URL) throws {
    self.init(url: url)
    let document: Document
    do {
      document = try JSONDecoder().decode(Document.self, from: data)
    } catch let error as UnknownKey {
      let known = error.known.joined(separator: ", ")
      throw GeneratorError.badConfig(
        url, reason: "“\(error.name)” is not a key there; the keys are \(known)")
    } catch let error as DecodingError {
      throw GeneratorError.badConfig(url, reason: error.reason)
    }
    generatesClients = document.generate?.clients ?? generatesClients
    generatesServers = document.generate?.servers ?? generatesServers
    generatesMessages = document.generate?.messages ?? generatesMessages
    accessLevelOnImports = document.generatedSource?.accessLevelOnImports ?? accessLevelOnImports
    protocPath = document.protoc?.executablePath
    importPaths = document.protoc?.importPaths ?? importPaths
    if let level = document.generatedSource?.accessLevel {
      guard let known = AccessLevel(rawValue: level) else {
        let choices = AccessLevel.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        throw GeneratorError.badConfig(
          url, reason: "“generatedSource.accessLevel” is \"\(level)\"; it may be one of \(choices)")
      }
      accessLevel = known
    }
  }
}

// The file's shape. Every key is optional, and there are no others.

private struct Document: Decodable {
  var generate: Generate?
  var generatedSource: GeneratedSource?
  var protoc: Protoc?

  enum CodingKeys: String, CodingKey, CaseIterable { case generate, generatedSource, protoc }

  init(from decoder: any Decoder) throws {
    try decoder.rejectKeys(unknownTo: CodingKeys.self)
    let values = try decoder.container(keyedBy: CodingKeys.self)
    generate = try values.decodeIfPresent(Generate.self, forKey: .generate)
    generatedSource = try values.decodeIfPresent(GeneratedSource.self, forKey: .generatedSource)
    protoc = try values.decodeIfPresent(Protoc.self, forKey: .protoc)
  }
}

private struct Generate: Decodable {
  var clients: Bool?
  var servers: Bool?
  var messages: Bool?

  enum CodingKeys: String, CodingKey, CaseIterable { case clients, servers, messages }

  init(from decoder: any Decoder) throws {
    try decoder.rejectKeys(unknownTo: CodingKeys.self)
    let values = try decoder.container(keyedBy: CodingKeys.self)
    clients = try values.decodeIfPresent(Bool.self, forKey: .clients)
    servers = try values.decodeIfPresent(Bool.self, forKey: .servers)
    messages = try values.decodeIfPresent(Bool.self, forKey: .messages)
  }
}

private struct GeneratedSource: Decodable {
  var accessLevel: String?
  var accessLevelOnImports: Bool?

  enum CodingKeys: String, CodingKey, CaseIterable { case accessLevel, accessLevelOnImports }

  init(from decoder: any Decoder) throws {
    try decoder.rejectKeys(unknownTo: CodingKeys.self)
    let values = try decoder.container(keyedBy: CodingKeys.self)
    accessLevel = try values.decodeIfPresent(String.self, forKey: .accessLevel)
    accessLevelOnImports = try values.decodeIfPresent(Bool.self, forKey: .accessLevelOnImports)
  }
}

private struct Protoc: Decodable {
  var executablePath: String?
  var importPaths: [String]?

  enum CodingKeys: String, CodingKey, CaseIterable { case executablePath, importPaths }

  init(from decoder: any Decoder) throws {
    try decoder.rejectKeys(unknownTo: CodingKeys.self)
    let values = try decoder.container(keyedBy: CodingKeys.self)
    executablePath = try values.decodeIfPresent(String.self, forKey: .executablePath)
    importPaths = try values.decodeIfPresent([String].self, forKey: .importPaths)
  }
}

private struct AnyKey: CodingKey {
  var stringValue: String
  var intValue: Int?
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension Decoder {
  fileprivate func rejectKeys<Keys: CodingKey & CaseIterable>(unknownTo: Keys.Type) throws {
    let known = Keys.allCases.map(\.stringValue)
    let present = try container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).sorted()
    guard let unknown = present.first(where: { !known.contains($0) }) else { return }
    throw UnknownKey(
      name: (codingPath.map(\.stringValue) + [unknown]).joined(separator: "."), known: known)
  }
}

private struct UnknownKey: Error {
  var name: String
  var known: [String]
}

extension DecodingError {
  /// What is wrong, in a few words.
  fileprivate var reason: String {
    switch self {
    case .typeMismatch(let type, let context):
      let key = context.codingPath.reduce(into: "") { key, part in
        key += part.intValue.map { "[\($0)]" } ?? (key.isEmpty ? "" : ".") + part.stringValue
      }
      let place = key.isEmpty ? "the file's value" : "“\(key)”"
      return "\(place) must be \(Self.describe(type))"
    case .dataCorrupted: return "it is not valid JSON"
    case .valueNotFound(_, let context), .keyNotFound(_, let context):
      return context.debugDescription
    @unknown default: return "\(self)"
    }
  }

  private static func describe(_ type: any Any.Type) -> String {
    switch type {
    case is Bool.Type: "true or false"
    case is String.Type: "a string"
    case is [String].Type, is [Any].Type: "a list of strings"
    default: "an object"
    }
  }
}
