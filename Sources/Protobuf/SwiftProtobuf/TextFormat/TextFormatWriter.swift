/// Writes the text format: a field on each line, two spaces deeper in each nested message.
///
/// Specification: <https://protobuf.dev/reference/protobuf/textformat-spec/>.
public struct TextFormatWriter: ~Copyable {
  /// The text so far, in UTF-8.
  var output: [UInt8] = []
  let options: TextFormatEncodingOptions
  private var indentation = 0
  /// The names of the fields of the message at hand; nil before the first.
  private var fields: FieldTable?
  /// The extension at hand, whose name is not in `fields`.
  private var ext: (any AnyMessageExtension)?

  init(options: TextFormatEncodingOptions) {
    self.options = options
  }

  /// Writes a message's fields without anything around them.
  mutating func write<M: Message>(fieldsOf message: M) throws {
    let (outerFields, outerExtension) = (fields, ext)
    (fields, ext) = (M._protobufFields, nil)
    if let any = message as? Google_Protobuf_Any, try write(expanded: any) {
      // Written as the message in it.
    } else {
      try message._protobufVisit(&self)
    }
    if options.printUnknownFields { write(unknown: message.unknownFields) }
    (fields, ext) = (outerFields, outerExtension)
  }

  /// Writes ` {`, a message's fields two spaces deeper, and `}`.
  mutating func write<M: Message>(message: M) throws {
    openBrace()
    try write(fieldsOf: message)
    closeBrace()
  }

  /// Begins as deep as `other` is.
  mutating func copyIndentation(of other: borrowing TextFormatWriter) {
    indentation = other.indentation
  }

  mutating func openBrace() {
    write(raw: " {\n")
    indentation += 1
  }

  mutating func closeBrace() {
    indentation -= 1
    indent()
    write(raw: "}\n")
  }

  mutating func indent() {
    for _ in 0..<indentation { write(raw: "  ") }
  }

  private mutating func writeName(_ number: Int) {
    indent()
    if let ext {
      write(raw: "[")
      output.append(contentsOf: ext.fieldName.utf8)
      write(raw: "]")
    } else if let entry = fields?.entry(number: number) {
      output.append(contentsOf: entry.textName.utf8)
    }
  }

  private mutating func write<F: FieldCoding>(_ coding: F.Type, _ value: F.Value) throws {
    if F.isMessage { return try F.write(value, to: &self) }
    write(raw: ": ")
    try F.write(value, to: &self)
    write(raw: "\n")
  }

  /// Writes a map's entry, or what else is named by words of the format's own.
  private mutating func write<F: FieldCoding>(
    _ name: StaticString, _ coding: F.Type, _ value: F.Value
  ) throws {
    indent()
    write(raw: name)
    try write(coding, value)
  }

  /// Writes an `Any` as the message in it, if that is of a registered type.
  private mutating func write(expanded any: Google_Protobuf_Any) throws -> Bool {
    guard !any.typeURL.isEmpty,
      let type = Google_Protobuf_Any.messageType(forMessageName: String(any.typeName))
    else { return false }
    return try write(any, as: type)
  }

  private mutating func write<M: Message>(_ any: Google_Protobuf_Any, as _: M.Type) throws -> Bool {
    guard let message: M = any.unpacked(inside: indentation) else { return false }
    indent()
    write(raw: "[")
    output.append(contentsOf: any.typeURL.utf8)
    write(raw: "]")
    try write(message: message)
    return true
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension TextFormatWriter: FieldVisitor {
  public mutating func optional<F: FieldCoding>(
    _ coding: F.Type, _ value: F.Value?, _ number: Int
  ) throws {
    guard let value else { return }
    writeName(number)
    try write(coding, value)
  }

  public mutating func optional<F: FieldCoding>(
    _ coding: F.Type, _ box: Indirect<F.Value>?, _ number: Int
  ) throws {
    guard let box else { return }
    writeName(number)
    try write(coding, box.value)
  }

  public mutating func implicit<F: FieldCoding>(
    _ coding: F.Type, _ value: F.Value, _ number: Int
  ) throws {
    guard !F.isDefault(value) else { return }
    writeName(number)
    try write(coding, value)
  }

  public mutating func repeated<F: FieldCoding>(
    _ coding: F.Type, _ values: [F.Value], _ number: Int
  ) throws {
    for value in values {
      writeName(number)
      try write(coding, value)
    }
  }

  public mutating func map<K: MapKeyCoding, V: FieldCoding>(
    _ key: K.Type, _ value: V.Type, _ entries: [K.Value: V.Value], _ number: Int
  ) throws {
    for (key, value) in entries.sorted(by: { K.isOrdered($0.key, before: $1.key) }) {
      writeName(number)
      openBrace()
      try write("key", K.self, key)
      try write("value", V.self, value)
      closeBrace()
    }
  }

  public mutating func extensionField(
    _ ext: any AnyMessageExtension, _ field: some AnyExtensionField
  ) throws {
    self.ext = ext
    try field._protobufVisit(ext.fieldNumber, &self)
    self.ext = nil
  }
}
