extension MessageGenerator {
  func writeIsInitialized(to writer: inout SourceWriter) {
    writer.block("\(visibility)var isInitialized: Bool") { writer in
      for field in fields {
        field.writeInitializedCheck(to: &writer, oneof: oneofName(of: field))
      }
      if !message.extensionRanges.isEmpty {
        writer.line("if !self._protobufExtensions.isInitialized { return false }")
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
        let arguments =
          "of: Self.self, into: &self._protobufExtensions, unknown: &self.unknownFields"
        if message.isMessageSet {
          writer.line("case 11: try decoder.messageSetItem(\(arguments))")
        }
        writer.line(
          message.extensionRanges.isEmpty
            ? "default: try decoder.unknownField(into: &self.unknownFields)"
            : "default: try decoder.extensionField(\(arguments))",
          "}")
      }
    }
  }

  func writeSize(to writer: inout SourceWriter) {
    writer.block("\(visibility)func _protobufSize() -> Int") { writer in
      writer.line(
        "\(isEmpty ? "let" : "var") size = \(runtime)BinarySize(self.unknownFields)")
      writeFields(to: &writer, fields: fields) { $0.sizing($1) }
      if !message.extensionRanges.isEmpty {
        let method = message.isMessageSet ? "messageSet" : "extensions"
        writer.line("size.\(method)(self._protobufExtensions)")
      }
      writer.line("return size.bytes")
    }
  }

  func writeEncode(to writer: inout SourceWriter) {
    let head =
      "\(visibility)func _protobufEncode(to encoder: inout \(runtime)BinaryEncoder)"
    writer.block(head) { writer in
      writer.line("encoder.unknownFields(self.unknownFields)")
      if message.isMessageSet {
        writer.line("encoder.messageSet(self._protobufExtensions)")
      } else {
        writeFields(
          to: &writer, fields: fields.reversed(), extensions: message.extensionRanges.reversed(),
          isDescending: true, "encoder"
        ) { $0.encoding($1) }
      }
    }
  }

  func writeVisit(to writer: inout SourceWriter) {
    let head =
      "\(visibility)func _protobufVisit<_Visitor: \(runtime)FieldVisitor & ~Copyable>(_ visitor: inout _Visitor) throws"
    writer.block(head) { writer in
      writeFields(
        to: &writer, fields: fields, extensions: message.extensionRanges, "try visitor"
      ) { $0.visiting($1) }
    }
  }

  func writeRead(to writer: inout SourceWriter) {
    let head =
      "\(visibility)mutating func _protobufRead<_Reader: \(runtime)FieldReader & ~Copyable & ~Escapable>(_ number: Int, from reader: inout _Reader) throws"
    writer.block(head) { writer in
      guard !fields.isEmpty else { return }
      writer.line("switch number {")
      for field in fields { field.writeReading(to: &writer, oneof: oneofName(of: field)) }
      writer.line("default: break", "}")
    }
  }

  private var isEmpty: Bool { fields.isEmpty && message.extensionRanges.isEmpty }

  /// Writes a statement per field and per range of extensions, each where its number belongs;
  /// neighbours in one oneof share a switch.
  ///
  /// - Parameter isDescending: whether fields and ranges begin with the largest number.
  private func writeFields(
    to writer: inout SourceWriter, fields: [FieldGenerator], extensions: [Range<Int>] = [],
    isDescending: Bool = false, _ receiver: String = "",
    statement: (FieldGenerator, String?) -> String
  ) {
    func isBefore(_ range: Range<Int>, _ field: FieldGenerator) -> Bool {
      (range.lowerBound < field.field.number) != isDescending
    }
    var ranges = extensions[...]
    func writeRanges(before field: FieldGenerator?) {
      while let range = ranges.first, field.map({ isBefore(range, $0) }) ?? true {
        writer.line("\(receiver).extensions(self._protobufExtensions, in: \(range))")
        ranges = ranges.dropFirst()
      }
    }
    var rest = fields[...]
    while let first = rest.first {
      writeRanges(before: first)
      guard let oneof = oneof(of: first), let name = oneofName(of: first) else {
        writer.line(statement(first, nil))
        rest = rest.dropFirst()
        continue
      }
      let run = rest.prefix { member in
        member.field.oneofIndex == oneof.index
          && !(ranges.first.map { isBefore($0, member) } ?? false)
      }
      rest = rest.dropFirst(run.count)
      writer.line("switch self.\(name) {")
      for field in run {
        writer.line("case .\(field.bareName)(let value)?: \(statement(field, "value"))")
      }
      writer.line(run.count == oneof.fields.count ? "case nil: break" : "default: break", "}")
    }
    writeRanges(before: nil)
  }
}
