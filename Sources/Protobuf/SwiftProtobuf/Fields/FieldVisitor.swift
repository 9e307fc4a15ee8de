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
}
