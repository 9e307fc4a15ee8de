/// Is shown every field of a message by its type's generated code: writes formats that name fields.
public protocol FieldVisitor: ~Copyable {
  /// A field with explicit presence or a member of a oneof.
  mutating func optional<F: FieldCoding>(_ coding: F.Type, _ value: F.Value?, _ number: Int) throws

  /// A field with explicit presence in a heap box.
  mutating func optional<F: FieldCoding>(
    _ coding: F.Type, _ box: Indirect<F.Value>?, _ number: Int) throws

  /// A field with implicit presence.
  mutating func implicit<F: FieldCoding>(_ coding: F.Type, _ value: F.Value, _ number: Int) throws

  /// A repeated field.
  mutating func repeated<F: FieldCoding>(_ coding: F.Type, _ values: [F.Value], _ number: Int)
    throws

  /// A map field.
  mutating func map<K: MapKeyCoding, V: FieldCoding>(
    _ key: K.Type, _ value: V.Type, _ entries: [K.Value: V.Value], _ number: Int) throws

  /// An extension, whose field shows itself: `field._protobufVisit(ext.fieldNumber, &self)` calls
  /// ``optional(_:_:_:)`` or ``repeated(_:_:_:)``.
  mutating func extensionField(
    _ ext: any AnyMessageExtension, _ field: some AnyExtensionField) throws
}

extension FieldVisitor where Self: ~Copyable {
  /// The extensions whose numbers are in a range.
  public mutating func extensions(_ fields: ExtensionFieldValueSet, in range: Range<Int>) throws {
    for entry in fields.entries(in: range) { try extensionField(entry.ext, entry.field) }
  }
}
