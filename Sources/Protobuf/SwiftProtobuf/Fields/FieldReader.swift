/// Gives a message's generated code the value of the field at hand, in formats that name fields.
public protocol FieldReader: ~Copyable, ~Escapable {
  /// A field with explicit presence.
  mutating func optional<F: FieldCoding>(_ coding: F.Type, into value: inout F.Value?) throws

  /// A field with explicit presence in a heap box.
  mutating func optional<F: FieldCoding>(_ coding: F.Type, into box: inout Indirect<F.Value>?)
    throws

  /// A field with implicit presence.
  mutating func implicit<F: FieldCoding>(_ coding: F.Type, into value: inout F.Value) throws

  /// A member of a oneof; nil if it is not to be set.
  ///
  /// - Parameter isSet: whether the oneof is set, which makes another member an error.
  mutating func member<F: FieldCoding>(_ coding: F.Type, isSet: Bool) throws -> F.Value?

  /// A repeated field.
  mutating func repeated<F: FieldCoding>(_ coding: F.Type, into values: inout [F.Value]) throws

  /// A map field.
  mutating func map<K: MapKeyCoding, V: FieldCoding>(
    _ key: K.Type, _ value: V.Type, into entries: inout [K.Value: V.Value]) throws
}
