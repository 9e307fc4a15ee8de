/// The words that generated names have to stay clear of.
enum ReservedWords {
  /// Names that no generated type may have.
  static let types: Set<String> = keywords.union(commonTypes).union([
    // The runtime's module: a type of this name would hide it.
    "SwiftProtobuf",
    // Scopes nested extensions.
    "Extensions",
    // Requirements of `Message`.
    "protoMessageName", "decodeMessage", "traverse", "isInitialized", "unknownFields",
    // The standard library's.
    "debugDescription", "description", "dynamicType", "hashValue",
    "Type", "Protocol",
  ])

  /// Names that no field may have, since messages have properties of these names.
  static let fields: Set<String> = [
    "isInitialized", "unknownFields", "debugDescription", "description", "dynamicType",
    "hashValue", "init", "self",
  ]

  /// Names that no enum case may have, not even in backticks.
  static let enumCases: Set<String> = [
    "allCases", "customMirror", "debugDescription", "description", "dynamicType", "hashValue",
    "init", "name", "rawValue", "self",
  ]

  /// Keywords, which fields and enum cases may be called by in backticks.
  static let keywords: Set<String> = declarationKeywords.union(statementKeywords)
    .union(expressionKeywords)

  private static let declarationKeywords: Set<String> = [
    "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import",
    "init", "inout", "internal", "let", "open", "operator", "private", "protocol", "public",
    "static", "struct", "subscript", "typealias", "var",
  ]

  private static let statementKeywords: Set<String> = [
    "break", "case", "continue", "default", "defer", "do", "else", "fallthrough", "for", "guard",
    "if", "in", "repeat", "return", "switch", "where", "while",
  ]

  private static let expressionKeywords: Set<String> = [
    "as", "Any", "catch", "false", "is", "nil", "rethrows", "super", "self", "Self", "throw",
    "throws", "true", "try",
  ]

  private static let commonTypes: Set<String> = [
    "Bool", "Data", "Double", "Float", "Int", "Int32", "Int64", "String", "UInt", "UInt32",
    "UInt64", "UInt8", "Array", "Dictionary", "Hashable", "Sendable", "Optional", "Equatable",
  ]
}
