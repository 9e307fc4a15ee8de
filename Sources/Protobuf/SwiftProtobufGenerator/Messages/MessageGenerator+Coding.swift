extension MessageGenerator {
  func writeIsInitialized(to writer: inout SourceWriter) {
    writer.block("\(visibility)var isInitialized: Bool") { writer in
      for field in fields {
        field.writeInitializedCheck(to: &writer, oneof: oneofName(of: field))
      }
      writer.line("return true")
    }
  }

  func writeDecode(to writer: inout SourceWriter) {
    let head =
      "\(visibility)mutating func _protobufDecode(from decoder: inout \(runtime)BinaryDecoder) throws(\(runtime)BinaryDecodingError)"
    writer.block(head) { writer in
      writer.block("while let tag = try decoder.nextTag()") { writer in
        writer.line("switch tag {")
        for field in fields { field.writeDecoding(to: &writer, oneof: oneofName(of: field)) }
        writer.line("default: try decoder.unknownField(into: &self.unknownFields)", "}")
      }
    }
  }

  func writeSize(to writer: inout SourceWriter) {
    writer.block("\(visibility)func _protobufSize() -> Int") { writer in
      writer.line(
        "\(fields.isEmpty ? "let" : "var") size = \(runtime)BinarySize(self.unknownFields)")
      writeFields(to: &writer, fields: fields) { $0.sizing($1) }
      writer.line("return size.bytes")
    }
  }

  func writeEncode(to writer: inout SourceWriter) {
    let head =
      "\(visibility)func _protobufEncode(to encoder: inout \(runtime)BinaryEncoder)"
    writer.block(head) { writer in
      writer.line("encoder.unknownFields(self.unknownFields)")
      writeFields(to: &writer, fields: fields.reversed()) { $0.encoding($1) }
    }
  }

  func writeVisit(to writer: inout SourceWriter) {
    let head =
      "\(visibility)func _protobufVisit<V: \(runtime)FieldVisitor & ~Copyable>(_ visitor: inout V) throws"
    writer.block(head) { writer in
      writeFields(to: &writer, fields: fields) { $0.visiting($1) }
    }
  }

  func writeRead(to writer: inout SourceWriter) {
    let head =
      "\(visibility)mutating func _protobufRead<R: \(runtime)FieldReader & ~Copyable & ~Escapable>(_ number: Int, from reader: inout R) throws"
    writer.block(head) { writer in
      guard !fields.isEmpty else { return }
      writer.line("switch number {")
      for field in fields { field.writeReading(to: &writer, oneof: oneofName(of: field)) }
      writer.line("default: break", "}")
    }
  }

  /// Writes a statement per field; neighbours in one oneof share a switch.
  private func writeFields(
    to writer: inout SourceWriter, fields: [FieldGenerator],
    statement: (FieldGenerator, String?) -> String
  ) {
    var rest = fields[...]
    while let first = rest.first {
      guard let oneof = oneof(of: first), let name = oneofName(of: first) else {
        writer.line(statement(first, nil))
        rest = rest.dropFirst()
        continue
      }
      let run = rest.prefix { $0.field.oneofIndex == oneof.index }
      rest = rest.dropFirst(run.count)
      writer.line("switch self.\(name) {")
      for field in run {
        writer.line("case .\(field.bareName)(let value)?: \(statement(field, "value"))")
      }
      writer.line(run.count == oneof.fields.count ? "case nil: break" : "default: break", "}")
    }
  }
}
