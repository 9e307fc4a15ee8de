import SwiftProtobuf

/// Writes a message's struct, and the extensions through which the runtime reads and writes it.
struct MessageGenerator {
  let message: MessageDescriptor
  let resolver: TypeResolver
  let fields: [FieldGenerator]
  let nested: [MessageGenerator]

  var runtime: String { resolver.runtime }
  var visibility: String { resolver.options.visibility.modifier }

  init(_ message: MessageDescriptor, resolver: TypeResolver) throws {
    self.message = message
    self.resolver = resolver
    fields = try message.fields.map { try FieldGenerator($0, of: message, resolver: resolver) }
    nested = try message.messages.map { try MessageGenerator($0, resolver: resolver) }
  }

  /// The oneof that a field is a member of.
  func oneof(of field: FieldGenerator) -> OneofDescriptor? {
    message.oneofs.first { $0.index == field.field.oneofIndex }
  }

  /// The property of the oneof that a field is a member of.
  func oneofName(of field: FieldGenerator) -> String? {
    oneof(of: field).map { SwiftNaming.fieldName($0.name) }
  }

  /// Writes the struct with everything nested in it.
  func writeDeclaration(to writer: inout SourceWriter) throws {
    writer.documentation(message.comment)
    let conformance = message.extensionRanges.isEmpty ? "Message" : "ExtensibleMessage"
    let head = "\(visibility)struct \(message.swiftRelativeName): \(runtime)\(conformance)"
    try writer.block(head) { try writeBody(to: &$0) }
    writer.line("")
  }

  private func writeBody(to writer: inout SourceWriter) throws {
    var writtenOneofs: Set<Int> = []
    for field in fields {
      if let oneof = oneof(of: field), writtenOneofs.insert(oneof.index).inserted {
        writer.documentation(oneof.comment)
        writer.line(
          "\(visibility)var \(SwiftNaming.fieldName(oneof.name)): \(SwiftNaming.oneofTypeName(oneof.name))? = nil",
          "")
      }
      field.writeProperties(to: &writer, visibility: visibility, oneof: oneofName(of: field))
    }
    writer.line("\(visibility)var unknownFields = \(runtime)UnknownStorage()", "")
    if !message.extensionRanges.isEmpty {
      writer.line(
        "\(visibility)var _protobufExtensions = \(runtime)ExtensionFieldValueSet()", "")
    }
    for oneof in message.oneofs { writeOneofType(oneof, to: &writer) }
    for type in message.enums {
      EnumGenerator(type, resolver: resolver).write(to: &writer)
    }
    for generator in nested { try generator.writeDeclaration(to: &writer) }
    writer.line("\(visibility)init() {}")
    let stored = fields.filter { if case .property = $0.storage { false } else { true } }
    if stored.contains(where: { $0.field.oneofIndex == nil }) { writer.line("") }
    for field in stored { field.writeStorage(to: &writer, runtime: runtime) }
  }

  private func writeOneofType(_ oneof: OneofDescriptor, to writer: inout SourceWriter) {
    writer.documentation(oneof.comment)
    let name = SwiftNaming.oneofTypeName(oneof.name)
    writer.block("\(visibility)enum \(name): Hashable, Sendable") { writer in
      for field in fields where field.field.oneofIndex == oneof.index {
        let isIndirect =
          if case .member(isIndirect: true) = field.storage { true } else { false }
        writer.documentation(field.field.comment)
        writer.line("\(isIndirect ? "indirect " : "")case \(field.name)(\(field.valueType))")
      }
    }
    writer.line("")
  }

  /// Writes the extensions of the message and of everything nested in it.
  func writeExtensions(to writer: inout SourceWriter) throws {
    let needsCheck = resolver.pool.requiredFields.isNeeded(message.fullName)
    writer.block("extension \(message.swiftName)") { writer in
      writer.line(
        "\(visibility)static var protoMessageName: String { \"\(message.fullName)\" }", "",
        "\(visibility)static let _protobufFields = \(runtime)FieldTable(\(DefaultValue.literal(fieldTable)))",
        "")
      if needsCheck {
        writeIsInitialized(to: &writer)
        writer.line("")
      }
      writeDecode(to: &writer)
      writer.line("")
      writeSize(to: &writer)
      writer.line("")
      writeEncode(to: &writer)
      writer.line("")
      writeVisit(to: &writer)
      writer.line("")
      writeRead(to: &writer)
    }
    writer.line("")
    for generator in nested { try generator.writeExtensions(to: &writer) }
  }

  private var fieldTable: String {
    let fields = message.fields.map { field in
      let json = field.proto.jsonName
      let isDerived = json.isEmpty || json == FieldTable.jsonName(field.proto.name)
      let escaped = json.replacing("%", with: "%25").replacing(" ", with: "%20")
      let text = field.textName == field.proto.name ? "" : ":\(field.textName)"
      return "\(field.number) \(field.proto.name)\(text)\(isDerived ? "" : "=\(escaped)")"
    }
    // The text format reads over fields of reserved names.
    let reserved = message.proto.reservedName.filter { !$0.contains(" ") }.map { "0 \($0)" }
    return (fields + reserved).joined(separator: " ")
  }
}
