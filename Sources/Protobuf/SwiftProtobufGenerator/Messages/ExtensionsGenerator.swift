import SwiftProtobuf

/// Writes the extensions that a file declares: each as a value, as properties of the message that it
/// extends, and as a member of the file's set.
struct ExtensionsGenerator {
  private struct Declaration {
    let field: FieldGenerator
    let names: ExtensionNames
    let scope: MessageDescriptor?
    /// The Swift name of the message that it extends.
    let extended: String
    /// The message itself.
    let extendedMessage: MessageDescriptor
  }

  private let file: FileDescriptor
  private let resolver: TypeResolver
  private let declarations: [Declaration]

  private var runtime: String { resolver.runtime }
  private var visibility: String { resolver.options.visibility.modifier }

  init(file: FileDescriptor, resolver: TypeResolver) throws {
    self.file = file
    self.resolver = resolver
    var declarations: [Declaration] = []
    func add(_ fields: [FieldDescriptor], in scope: MessageDescriptor?) throws {
      for field in fields {
        let extendee = field.extendee ?? ""
        declarations.append(
          Declaration(
            field: try FieldGenerator(field, of: nil, resolver: resolver),
            names: ExtensionNames(field, in: scope, file: file), scope: scope,
            extended: try resolver.messageType(extendee),
            extendedMessage: try resolver.pool.message(extendee)))
      }
    }
    func add(_ message: MessageDescriptor) throws {
      try add(message.extensions, in: message)
      for nested in message.messages { try add(nested) }
    }
    try add(file.extensions, in: nil)
    for message in file.messages { try add(message) }
    self.declarations = declarations
  }

  func write(to writer: inout SourceWriter) throws {
    guard !declarations.isEmpty else { return }
    for declaration in declarations { writeProperties(declaration, to: &writer) }
    for declaration in declarations where declaration.scope == nil {
      try write(declaration, as: "\(visibility)let", to: &writer)
      writer.line("")
    }
    for message in file.messages { try writeScope(message, to: &writer) }
    writer.line(
      "/// The extensions that `\(file.name)` declares.",
      "\(visibility)let \(ExtensionNames.map(of: file)): \(runtime)SimpleExtensionMap = [")
    writer.indented { $0.lines(declarations.map { $0.names.qualified + "," }) }
    writer.line("]", "")
  }

  private func writeScope(_ message: MessageDescriptor, to writer: inout SourceWriter) throws {
    let inside = declarations.filter { $0.scope?.fullName == message.fullName }
    if !inside.isEmpty {
      try writer.block("extension \(message.swiftName)") { writer in
        try writer.block("\(visibility)enum Extensions") { writer in
          for declaration in inside {
            try write(declaration, as: "\(visibility)static let", to: &writer)
          }
        }
      }
      writer.line("")
    }
    for nested in message.messages { try writeScope(nested, to: &writer) }
  }

  private func write(
    _ declaration: Declaration, as introducer: String, to writer: inout SourceWriter
  ) throws {
    let field = declaration.field
    let kind =
      field.field.isPacked
      ? "Packed" : field.field.cardinality == .repeated ? "Repeated" : "Optional"
    let type = "\(runtime)\(kind)ExtensionField<\(field.coding)>"
    writer.documentation(field.field.comment)
    writer.line(
      "\(introducer) \(declaration.names.declared) = \(runtime)MessageExtension<\(type), \(declaration.extended)>(",
      "  _protobuf_fieldNumber: \(field.field.number), fieldName: \(DefaultValue.literal(fullName(of: declaration)))",
      ")")
  }

  /// The name in brackets. A message set's item that is declared in the message that it holds goes
  /// by that message's name.
  private func fullName(of declaration: Declaration) -> String {
    let field = declaration.field.field
    let isItem =
      declaration.extendedMessage.isMessageSet && field.isMessage
      && field.cardinality != .repeated && declaration.scope?.fullName == field.typeName
    return isItem ? field.typeName : field.fullName
  }

  private func writeProperties(_ declaration: Declaration, to writer: inout SourceWriter) {
    let field = declaration.field
    let names = declaration.names
    let isRepeated = field.field.cardinality == .repeated
    writer.block("extension \(declaration.extended)") { writer in
      writer.documentation(field.field.comment)
      let type = isRepeated ? "[\(field.valueType)]" : field.valueType
      let fallback = isRepeated ? "" : " ?? \(field.defaultValue)"
      writer.block("\(visibility)var \(names.property): \(type)") { writer in
        writer.line(
          "get { getExtensionValue(ext: \(names.qualified))\(fallback) }",
          "set { setExtensionValue(ext: \(names.qualified), value: newValue) }")
      }
      guard !isRepeated else { return }
      writer.line(
        "/// Whether the extension `\(field.field.fullName)` is set.",
        "\(visibility)var \(names.has): Bool { hasExtensionValue(ext: \(names.qualified)) }",
        "/// Unsets the extension `\(field.field.fullName)`.",
        "\(visibility)mutating func \(names.clear)() { clearExtensionValue(ext: \(names.qualified)) }"
      )
    }
    writer.line("")
  }
}
