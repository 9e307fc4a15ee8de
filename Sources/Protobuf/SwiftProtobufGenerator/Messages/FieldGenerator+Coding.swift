extension FieldGenerator {
  /// Writes the cases that read the field in the binary format.
  ///
  /// - Parameter oneof: the property of the oneof that it is a member of.
  func writeDecoding(to writer: inout SourceWriter, oneof: String?) {
    if let map {
      let types = "\(map.key.coding).self"
      writer.line(
        isClosedEnum
          ? "case \(plainTag): try decoder.closedEnumMap(\(types), \(map.value.swift).self, into: &\(stored), unknown: &self.unknownFields)"
          : "case \(plainTag): try decoder.map(\(types), \(map.value.coding).self, into: &\(stored))"
      )
    } else if field.cardinality == .repeated {
      writeRepeatedDecoding(to: &writer)
    } else if let oneof {
      writeMemberDecoding(to: &writer, oneof: oneof)
    } else if isClosedEnum {
      writer.line("case \(plainTag):")
      writer.line(
        "  if let value = try decoder.closedEnum(\(valueType).self, unknown: &self.unknownFields) { \(stored) = value }"
      )
    } else if field.isMessage {
      writer.line("case \(plainTag): try decoder.merge(\(coding).self, into: &\(stored))")
    } else {
      writer.line("case \(plainTag): \(stored) = try decoder.value(\(coding).self)")
    }
  }

  private func writeRepeatedDecoding(to writer: inout SourceWriter) {
    if isClosedEnum {
      let arguments = "\(valueType).self, into: &\(stored), unknown: &self.unknownFields"
      writer.line("case \(plainTag): try decoder.repeatedClosedEnum(\(arguments))")
      writer.line("case \(packedTag): try decoder.packedClosedEnum(\(arguments))")
      return
    }
    writer.line("case \(plainTag): try decoder.repeated(\(coding).self, into: &\(stored))")
    if field.isPackable {
      writer.line("case \(packedTag): try decoder.packed(\(coding).self, into: &\(stored))")
    }
  }

  private func writeMemberDecoding(to writer: inout SourceWriter, oneof: String) {
    writer.line("case \(plainTag):")
    writer.indented { writer in
      if isClosedEnum {
        writer.line(
          "if let value = try decoder.closedEnum(\(valueType).self, unknown: &self.unknownFields) { self.\(oneof) = .\(bareName)(value) }"
        )
      } else if field.isMessage {
        writer.line(
          "var value: \(valueType)?",
          "if case .\(bareName)(let current)? = self.\(oneof) { value = current }",
          "if value != nil { self.\(oneof) = nil }",
          "try decoder.merge(\(coding).self, into: &value)",
          "self.\(oneof) = value.map { .\(bareName)($0) }")
      } else {
        writer.line("self.\(oneof) = .\(bareName)(try decoder.value(\(coding).self))")
      }
    }
  }

  /// Writes the case that reads the field in formats that name fields.
  func writeReading(to writer: inout SourceWriter, oneof: String?) {
    let label = "case \(field.number):"
    if let map {
      writer.line(
        "\(label) try reader.map(\(map.key.coding).self, \(map.value.coding).self, into: &\(stored))"
      )
    } else if let oneof {
      writer.line(
        label,
        "  if let value = try reader.member(\(coding).self, isSet: self.\(oneof) != nil) { self.\(oneof) = .\(bareName)(value) }"
      )
    } else {
      writer.line("\(label) try reader.\(kind)(\(coding).self, into: &\(stored))")
    }
  }

  /// The statement that shows the field to a visitor.
  ///
  /// - Parameter value: the member's value if it is in a oneof.
  func visiting(_ value: String?) -> String {
    call("try visitor", value: value, method: value == nil ? kind : "optional", "\(field.number)")
  }

  /// The statement that adds the field's size.
  func sizing(_ value: String?) -> String {
    call("size", value: value, method: binaryKind(value), "tagSize: \(tagSize)")
  }

  /// The statement that writes the field in the binary format.
  func encoding(_ value: String?) -> String {
    call("encoder", value: value, method: binaryKind(value), "tag: \(tag)")
  }

  private func call(_ receiver: String, value: String?, method: String, _ last: String) -> String {
    let codings =
      map.map { "\($0.key.coding).self, \($0.value.coding).self" } ?? "\(coding).self"
    return "\(receiver).\(method)(\(codings), \(value ?? stored), \(last))"
  }

  private func binaryKind(_ value: String?) -> String {
    if value != nil { return "field" }
    return kind == "repeated" && field.isPacked ? "packed" : kind
  }

  private var kind: String {
    if map != nil { return "map" }
    switch field.cardinality {
    case .explicit: return "optional"
    case .implicit: return "implicit"
    case .repeated: return "repeated"
    }
  }

  /// The statement that makes `isInitialized` false if the field lacks something.
  ///
  /// - Parameter oneof: the property of the oneof that it is a member of.
  func writeInitializedCheck(to writer: inout SourceWriter, oneof: String?) {
    if field.isRequired { writer.line("if \(stored) == nil { return false }") }
    guard hasRequiredFields else { return }
    if map != nil {
      writer.line("if !\(stored).values.allSatisfy(\\.isInitialized) { return false }")
    } else if field.cardinality == .repeated {
      writer.line("if !\(stored).allSatisfy(\\.isInitialized) { return false }")
    } else if let oneof {
      writer.line(
        "if case .\(bareName)(let value)? = self.\(oneof), !value.isInitialized { return false }")
    } else if case .indirect = storage {
      writer.line("if let value = \(stored), !value.value.isInitialized { return false }")
    } else {
      writer.line("if let value = \(stored), !value.isInitialized { return false }")
    }
  }
}
