extension FieldGenerator {
  /// Writes the properties by which users reach the field.
  ///
  /// - Parameter oneof: the property of the oneof that it is a member of.
  func writeProperties(to writer: inout SourceWriter, visibility: String, oneof: String?) {
    switch storage {
    case .property:
      writer.documentation(field.comment)
      writer.line("\(visibility)var \(name): \(propertyType) = \(initialValue)")
      writer.line("")
    case .optional, .indirect:
      writeExplicit(to: &writer, visibility: visibility)
    case .member:
      writer.documentation(field.comment)
      writer.block("\(visibility)var \(name): \(valueType)") { writer in
        writer.line(
          "get { if case .\(bareName)(let value)? = self.\(oneof ?? "") { value } else { \(defaultValue) } }"
        )
        writer.line("set { self.\(oneof ?? "") = .\(bareName)(newValue) }")
      }
      writer.line("")
    }
  }

  private func writeExplicit(to writer: inout SourceWriter, visibility: String) {
    let isIndirect = if case .indirect = storage { true } else { false }
    writer.documentation(field.comment)
    writer.block("\(visibility)var \(name): \(valueType)") { writer in
      if isIndirect {
        writer.line("get { \(stored)?.value ?? \(defaultValue) }")
        writer.line("set { \(stored) = .init(newValue) }")
      } else {
        writer.line("get { \(stored) ?? \(defaultValue) }")
        writer.line("set { \(stored) = newValue }")
      }
    }
    let has = SwiftNaming.fieldName(field.baseName, prefixedBy: "has")
    let clear = SwiftNaming.fieldName(field.baseName, prefixedBy: "clear")
    writer.line(
      "/// Whether `\(bareName)` is set.",
      "\(visibility)var \(has): Bool { \(stored) != nil }",
      "/// Unsets `\(bareName)`, which then reads as its default value.",
      "\(visibility)mutating func \(clear)() { \(stored) = nil }",
      "")
  }

  /// Writes the stored property behind computed ones.
  func writeStorage(to writer: inout SourceWriter, runtime: String) {
    switch storage {
    case .optional:
      writer.line("fileprivate var _\(bareName): \(valueType)? = nil")
    case .indirect:
      writer.line("fileprivate var _\(bareName): \(runtime)Indirect<\(valueType)>? = nil")
    case .property, .member:
      break
    }
  }

  private var propertyType: String {
    if let map { return "[\(map.key.swift): \(map.value.swift)]" }
    return field.cardinality == .repeated ? "[\(valueType)]" : valueType
  }

  private var initialValue: String {
    if map != nil { return "[:]" }
    return field.cardinality == .repeated ? "[]" : defaultValue
  }
}
