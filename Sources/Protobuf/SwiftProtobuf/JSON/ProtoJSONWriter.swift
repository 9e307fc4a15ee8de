/// Writes ProtoJSON.
public struct ProtoJSONWriter: ~Copyable {
  /// The text so far, in UTF-8.
  var output: [UInt8] = []
  let options: JSONEncodingOptions
  /// The names of the fields of the message at hand; nil before the first.
  private var fields: FieldTable?
  /// The extension at hand, whose name is not in `fields`.
  private var ext: (any AnyMessageExtension)?
  /// Whether the object or array at hand needs a comma before its next member.
  private var needsComma = false

  init(options: JSONEncodingOptions) {
    self.options = options
  }

  /// Writes a message as an object of its fields.
  mutating func write<M: Message>(object message: M) throws {
    try write(object: message, leading: nil)
  }

  /// Writes a message as an object, with the URL of its type first if it is in an `Any`.
  mutating func write<M: Message>(object message: M, leading typeURL: String?) throws {
    let outerFields = fields
    let outerExtension = ext
    ext = nil
    let outerComma = needsComma
    fields = M._protobufFields
    needsComma = false
    output.append(UInt8(ascii: "{"))
    if let typeURL {
      write(raw: "\"@type\":")
      write(string: typeURL)
      needsComma = true
    }
    try message._protobufVisit(&self)
    output.append(UInt8(ascii: "}"))
    fields = outerFields
    ext = outerExtension
    needsComma = outerComma
  }

  /// Writes a comma if the object or array at hand has a member already.
  mutating func separate() {
    if needsComma { output.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func writeName(_ number: Int) {
    separate()
    if let ext {
      write(string: "[\(ext.fieldName)]")
    } else if let entry = fields?.entry(number: number) {
      // The names are identifiers, or else strings with nothing but what JSON allows.
      write(string: options.preserveProtoFieldNames ? entry.name : entry.jsonName)
    }
    output.append(UInt8(ascii: ":"))
  }

  /// Writes an array.
  mutating func write<F: FieldCoding>(array values: [F.Value], _ coding: F.Type) throws {
    let outerComma = needsComma
    needsComma = false
    output.append(UInt8(ascii: "["))
    for value in values {
      separate()
      try F.write(value, to: &self)
    }
    output.append(UInt8(ascii: "]"))
    needsComma = outerComma
  }

  /// Writes a map as an object.
  mutating func write<K: MapKeyCoding, V: FieldCoding>(
    map entries: [K.Value: V.Value], _ key: K.Type, _ value: V.Type
  ) throws {
    let outerComma = needsComma
    needsComma = false
    output.append(UInt8(ascii: "{"))
    if options.useDeterministicOrdering {
      for (key, value) in entries.sorted(by: { K.isOrdered($0.key, before: $1.key) }) {
        try write(entry: key, value, K.self, V.self)
      }
    } else {
      for (key, value) in entries { try write(entry: key, value, K.self, V.self) }
    }
    output.append(UInt8(ascii: "}"))
    needsComma = outerComma
  }

  private mutating func write<K: MapKeyCoding, V: FieldCoding>(
    entry key: K.Value, _ value: V.Value, _: K.Type, _: V.Type
  ) throws {
    separate()
    K.writeKey(key, to: &self)
    output.append(UInt8(ascii: ":"))
    try V.write(value, to: &self)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ProtoJSONWriter: FieldVisitor {
  public mutating func optional<F: FieldCoding>(
    _ coding: F.Type, _ value: F.Value?, _ number: Int
  ) throws {
    guard let value else { return }
    writeName(number)
    try F.write(value, to: &self)
  }

  public mutating func optional<F: FieldCoding>(
    _ coding: F.Type, _ box: Indirect<F.Value>?, _ number: Int
  ) throws {
    guard let box else { return }
    writeName(number)
    try F.write(box.value, to: &self)
  }

  public mutating func implicit<F: FieldCoding>(
    _ coding: F.Type, _ value: F.Value, _ number: Int
  ) throws {
    guard !F.isDefault(value) || options.alwaysPrintFieldsWithNoPresence else { return }
    writeName(number)
    try F.write(value, to: &self)
  }

  public mutating func repeated<F: FieldCoding>(
    _ coding: F.Type, _ values: [F.Value], _ number: Int
  ) throws {
    guard !values.isEmpty || options.alwaysPrintFieldsWithNoPresence else { return }
    writeName(number)
    try write(array: values, coding)
  }

  public mutating func map<K: MapKeyCoding, V: FieldCoding>(
    _ key: K.Type, _ value: V.Type, _ entries: [K.Value: V.Value], _ number: Int
  ) throws {
    guard !entries.isEmpty || options.alwaysPrintFieldsWithNoPresence else { return }
    writeName(number)
    try write(map: entries, key, value)
  }

  public mutating func extensionField(
    _ ext: any AnyMessageExtension, _ field: some AnyExtensionField
  ) throws {
    self.ext = ext
    try field._protobufVisit(ext.fieldNumber, &self)
    self.ext = nil
  }
}
