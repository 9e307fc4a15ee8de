/// The Swift names of an extension.
struct ExtensionNames {
  /// The property of the extended message.
  let property: String
  /// The property that says whether it is set.
  let has: String
  /// The method that unsets it.
  let clear: String
  /// The extension itself, as it is declared.
  let declared: String
  /// The extension itself, from anywhere in its module.
  let qualified: String

  /// - Parameters:
  ///   - field: the extension.
  ///   - scope: the message that it is declared in; nil at the top of the file.
  init(_ field: FieldDescriptor, in scope: MessageDescriptor?, file: FileDescriptor) {
    let prefix =
      scope.map { String($0.swiftName.map { $0 == "." ? "_" : $0 }) + "_" } ?? file.typePrefix
    let base = SwiftNaming.lowerCamelCase(field.baseName)
    let plain = prefix + base
    property = prefix.isEmpty ? SwiftNaming.fieldName(field.baseName) : plain
    has = "has" + CamelCase.capitalized(plain)
    clear = "clear" + CamelCase.capitalized(plain)
    if let scope {
      declared = SwiftNaming.scopedExtensionName(field.baseName)
      qualified = "\(scope.swiftName).Extensions.\(declared)"
    } else {
      declared = "\(file.typePrefix)Extensions_\(field.baseName)"
      qualified = declared
    }
  }

  /// The set of a file's extensions: `race/team.proto` of package `racing` →
  /// `Racing_Team_Extensions`.
  static func map(of file: FileDescriptor) -> String {
    let name = file.name.split(separator: "/").last ?? ""
    let stem = name.hasSuffix(".proto") ? name.dropLast(6) : name
    let words = String(stem.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    return "\(file.typePrefix)\(SwiftNaming.upperCamelCase(words))_Extensions"
  }
}
