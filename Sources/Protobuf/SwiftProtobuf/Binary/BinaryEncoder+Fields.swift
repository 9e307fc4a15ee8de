// What generated code calls, from the field with the highest number to the one with the lowest.
extension BinaryEncoder {
  /// A field that is set.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func field<F: FieldCoding>(_ coding: F.Type, _ value: F.Value, tag: UInt32) {
    F.encode(value, tag: tag, to: &self)
  }

  /// A field with explicit presence.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func optional<F: FieldCoding>(_ coding: F.Type, _ value: F.Value?, tag: UInt32) {
    if let value { F.encode(value, tag: tag, to: &self) }
  }

  /// A field with explicit presence in a heap box.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func optional<F: FieldCoding>(
    _ coding: F.Type, _ box: Indirect<F.Value>?, tag: UInt32
  ) {
    if let box { F.encode(box.value, tag: tag, to: &self) }
  }

  /// A field with implicit presence, which is written unless it has its default value.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func implicit<F: FieldCoding>(_ coding: F.Type, _ value: F.Value, tag: UInt32) {
    if !F.isDefault(value) { F.encode(value, tag: tag, to: &self) }
  }

  /// A repeated field with a tag for each element.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func repeated<F: FieldCoding>(_ coding: F.Type, _ values: [F.Value], tag: UInt32)
  {
    let span = values.span
    var index = span.count
    while index > 0 {
      index &-= 1
      span.lend(index, &self) { value, encoder in F.encode(value, tag: tag, to: &encoder) }
    }
  }

  /// A repeated field with one tag and one length.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func packed<F: PackableFieldCoding>(
    _ coding: F.Type, _ values: [F.Value], tag: UInt32
  ) {
    if values.isEmpty { return }
    let end = position
    let span = values.span
    var index = span.count
    while index > 0 {
      index &-= 1
      F.encodeValue(span[index], to: &self)
    }
    varint(UInt64(end &- position))
    varint(UInt64(tag))
  }

  /// A map field.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func map<K: MapKeyCoding, V: FieldCoding>(
    _ key: K.Type, _ value: V.Type, _ entries: [K.Value: V.Value], tag: UInt32
  ) {
    if isDeterministic {
      for key in entries.keys.sorted(by: { K.isOrdered($1, before: $0) }) {
        if let value = entries[key] { entry(K.self, V.self, key, value, tag: tag) }
      }
    } else {
      for (key, value) in entries { entry(K.self, V.self, key, value, tag: tag) }
    }
  }

  @inlinable
  @_lifetime(self: copy self)
  mutating func entry<K: MapKeyCoding, V: FieldCoding>(
    _: K.Type, _: V.Type, _ key: K.Value, _ value: V.Value, tag: UInt32
  ) {
    let end = position
    V.encode(value, tag: 2 << 3 | V.wireType.rawValue, to: &self)
    K.encode(key, tag: 1 << 3 | K.wireType.rawValue, to: &self)
    varint(UInt64(end &- position))
    varint(UInt64(tag))
  }

  /// The fields that the message's type does not know.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func unknownFields(_ fields: UnknownStorage) {
    if let storage = fields.storage { raw(storage.span.bytes) }
  }
}
