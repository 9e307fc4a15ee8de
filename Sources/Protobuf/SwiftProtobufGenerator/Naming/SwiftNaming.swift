/// The Swift names of what .proto files declare, by the rules of swift-protobuf.
public enum SwiftNaming {
  /// `start_time` → `startTime`, `race_id` → `raceID`.
  public static func lowerCamelCase(_ name: String) -> String {
    CamelCase.transform(name, startsUpper: false)
  }

  /// `start_time` → `StartTime`, `id` → `ID`.
  public static func upperCamelCase(_ name: String) -> String {
    CamelCase.transform(name, startsUpper: true)
  }

  /// What the names of a file's top-level types begin with: the `swift_prefix` option, or else the
  /// package, `foo.bar_baz.v1` → `Foo_BarBaz_V1_`.
  public static func typePrefix(package: String, swiftPrefix: String?) -> String {
    if let swiftPrefix { return swiftPrefix }
    guard !package.isEmpty else { return "" }
    return package.split(separator: ".").map { segment in
      segment.split(separator: "_").map { CamelCase.capitalized(String($0)) }.joined()
    }.joined(separator: "_") + "_"
  }

  /// A message's own name.
  public static func messageName(_ name: String) -> String {
    typeName(name, disambiguator: "Message")
  }

  /// An enum's own name.
  public static func enumName(_ name: String) -> String {
    typeName(name, disambiguator: "Enum")
  }

  /// The name of the enum of a oneof's members.
  public static func oneofTypeName(_ name: String) -> String {
    "OneOf_" + upperCamelCase(name)
  }

  private static func typeName(_ name: String, disambiguator: String) -> String {
    if ReservedWords.types.contains(name) || isUnderscores(name) { return name + disambiguator }
    if name.hasSuffix(disambiguator) {
      // With both `Int` and `IntMessage` in a file, each gets a name of its own.
      let root = String(name.dropLast(disambiguator.count))
      return typeName(root, disambiguator: disambiguator) + disambiguator
    }
    return name
  }

  /// A field's property.
  public static func fieldName(_ name: String) -> String {
    let camel = lowerCamelCase(name)
    return sanitized(fieldName: camel, basedOn: camel)
  }

  /// What `has` and `clear` are followed by for a field, and whatever its name must not clash with.
  static func fieldName(_ name: String, prefixedBy prefix: String) -> String {
    sanitized(fieldName: prefix + upperCamelCase(name), basedOn: lowerCamelCase(name))
  }

  private static func sanitized(fieldName: String, basedOn base: String) -> String {
    if isPrefixed(base, by: "clear") || isPrefixed(base, by: "has")
      || ReservedWords.fields.contains(base)
    {
      return fieldName + "_p"
    }
    if base == fieldName, ReservedWords.keywords.contains(base) { return "`\(fieldName)`" }
    if isUnderscores(base) { return fieldName + "__" }
    return fieldName
  }

  /// Whether a name reads like the accessor of another field.
  private static func isPrefixed(_ name: String, by prefix: String) -> Bool {
    guard name.hasPrefix(prefix), let next = name.dropFirst(prefix.count).first else {
      return false
    }
    return next.isUppercase
  }

  /// An extension among those that a message declares.
  static func scopedExtensionName(_ name: String) -> String {
    // Behind a type and a dot, these are types, even in backticks.
    if name == "Type" || name == "Protocol" { return name + "_p" }
    return ReservedWords.keywords.contains(name) ? "`\(name)`" : name
  }

  /// An enum case from a name that its enum's prefix is stripped from already.
  static func enumCaseName(_ name: String) -> String {
    let camel = lowerCamelCase(name)
    if ReservedWords.enumCases.contains(camel) { return camel + "_" }
    if ReservedWords.keywords.contains(camel) { return "`\(camel)`" }
    if isUnderscores(camel) { return camel + "__" }
    return camel
  }

  private static func isUnderscores(_ name: String) -> Bool {
    name.utf8.allSatisfy { $0 == UInt8(ascii: "_") }
  }

  /// An enum value's name without the enum's: `RACE_EVENT_TYPE_STANDINGS` of `RaceEventType` →
  /// `STANDINGS`. The comparison ignores case and underscores.
  ///
  /// - Returns: nil if the name does not begin so, or nothing that can start a name is left.
  static func stripped(prefix: String, from name: String) -> String? {
    let wanted = prefix.lowercased().filter { $0 != "_" }
    var rest = Substring(name)
    for character in wanted {
      rest = rest.drop { $0 == "_" }
      guard rest.first?.lowercased() == String(character) else { return nil }
      rest = rest.dropFirst()
    }
    rest = rest.drop { $0 == "_" }
    guard let first = rest.first, !first.isNumber else { return nil }
    return String(rest)
  }

  /// The enum that carries a file's descriptor: `grpc/health/v1/health.proto` →
  /// `File_Grpc_Health_V1_Health`.
  public static func fileDescriptorName(_ path: String) -> String {
    let stem = path.hasSuffix(".proto") ? String(path.dropLast(6)) : path
    let parts = stem.split(separator: "/").map { part in
      upperCamelCase(String(part.map { $0.isLetter || $0.isNumber ? $0 : "_" }))
    }
    return "File_" + parts.joined(separator: "_")
  }
}
