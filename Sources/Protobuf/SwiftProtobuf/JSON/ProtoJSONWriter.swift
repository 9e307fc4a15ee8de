/// Writes ProtoJSON.
///
/// What depends on a field's type is inlinable: in the module of a message, the compiler makes code
/// for the message's own fields of it.
public struct ProtoJSONWriter: ~Copyable {
  /// The text so far, in UTF-8.
  @usableFromInline
  var output: [UInt8] = []
  @usableFromInline
  let options: JSONEncodingOptions
  /// The object or array at hand.
  @usableFromInline
  var level = Level()

  /// What is known of an object or array that is being written.
  @usableFromInline
  struct Level {
    /// The names of the message's fields; nil outside of a message.
    var fields: FieldTable?
    /// The extension at hand, whose name is not in `fields`.
    var ext: (any AnyMessageExtension)?
    /// Whether a comma is needed before the next member.
    var needsComma = false
    /// How many messages this one is nested in.
    var depth = 0

    @usableFromInline
    init() {}
  }

  init(options: JSONEncodingOptions) {
    self.options = options
  }

  /// Writes a message as an object of its fields.
  @inlinable
  mutating func write<M: Message>(object message: M) throws {
    let outer = enter(M._protobufFields)
    try message._protobufVisitJSON(&self)
    leave(outer)
  }

  /// Writes a message as an object, with the URL of its type first, as it is in an `Any`.
  mutating func write<M: Message>(object message: M, leading typeURL: String) throws {
    let outer = enter(M._protobufFields)
    write(raw: "\"@type\":")
    write(string: typeURL)
    level.needsComma = true
    try message._protobufVisitJSON(&self)
    leave(outer)
  }

  /// Begins an object of a message's fields, and gives the level around it.
  @usableFromInline
  mutating func enter(_ fields: FieldTable) -> Level {
    let outer = enter(UInt8(ascii: "{"))
    level.fields = fields
    level.depth += 1
    return outer
  }

  /// Begins an object or array, and gives the level around it.
  @usableFromInline
  mutating func enter(_ bracket: UInt8) -> Level {
    let outer = level
    level = Level()
    level.depth = outer.depth
    output.append(bracket)
    return outer
  }

  /// Ends an object.
  @usableFromInline
  mutating func leave(_ outer: consuming Level) {
    leave(outer, UInt8(ascii: "}"))
  }

  /// Ends an object or array.
  @usableFromInline
  mutating func leave(_ outer: consuming Level, _ bracket: UInt8) {
    output.append(bracket)
    level = outer
  }

  /// Writes a comma if the object or array at hand has a member already.
  @usableFromInline
  mutating func separate() {
    if level.needsComma { output.append(UInt8(ascii: ",")) }
    level.needsComma = true
  }

  @usableFromInline
  mutating func colon() {
    output.append(UInt8(ascii: ":"))
  }

  @usableFromInline
  mutating func writeName(_ number: Int) {
    separate()
    if let ext = level.ext {
      write(string: "[\(ext.fieldName)]")
      colon()
    } else if let fields = level.fields {
      output.append(
        contentsOf: fields.jsonHead(number: number, isPreserving: options.preserveProtoFieldNames))
    }
  }

  /// Writes an array.
  @inlinable
  mutating func write<F: FieldCoding>(array values: [F.Value], _ coding: F.Type) throws {
    let outer = enter(UInt8(ascii: "["))
    for value in values {
      separate()
      try F.write(value, to: &self)
    }
    leave(outer, UInt8(ascii: "]"))
  }

  /// Writes a map as an object.
  @inlinable
  mutating func write<K: MapKeyCoding, V: FieldCoding>(
    map entries: [K.Value: V.Value], _ key: K.Type, _ value: V.Type
  ) throws {
    let outer = enter(UInt8(ascii: "{"))
    if options.useDeterministicOrdering {
      for (key, value) in entries.sorted(by: { K.isOrdered($0.key, before: $1.key) }) {
        try write(entry: key, value, K.self, V.self)
      }
    } else {
      for (key, value) in entries { try write(entry: key, value, K.self, V.self) }
    }
    leave(outer)
  }

  @inlinable
  mutating func write<K: MapKeyCoding, V: FieldCoding>(
    entry key: K.Value, _ value: V.Value, _: K.Type, _: V.Type
  ) throws {
    separate()
    K.writeKey(key, to: &self)
    colon()
    try V.write(value, to: &self)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ProtoJSONWriter: FieldVisitor {
  @inlinable
  public mutating func optional<F: FieldCoding>(
    _ coding: F.Type, _ value: F.Value?, _ number: Int
  ) throws {
    guard let value else { return }
    writeName(number)
    try F.write(value, to: &self)
  }

  @inlinable
  public mutating func optional<F: FieldCoding>(
    _ coding: F.Type, _ box: Indirect<F.Value>?, _ number: Int
  ) throws {
    guard let box else { return }
    writeName(number)
    try F.write(box.value, to: &self)
  }

  @inlinable
  public mutating func implicit<F: FieldCoding>(
    _ coding: F.Type, _ value: F.Value, _ number: Int
  ) throws {
    guard !F.isDefault(value) || options.alwaysPrintFieldsWithNoPresence else { return }
    writeName(number)
    try F.write(value, to: &self)
  }

  @inlinable
  public mutating func repeated<F: FieldCoding>(
    _ coding: F.Type, _ values: [F.Value], _ number: Int
  ) throws {
    guard !values.isEmpty || options.alwaysPrintFieldsWithNoPresence else { return }
    writeName(number)
    try write(array: values, coding)
  }

  @inlinable
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
    level.ext = ext
    try field._protobufVisit(ext.fieldNumber, &self)
    level.ext = nil
  }
}
