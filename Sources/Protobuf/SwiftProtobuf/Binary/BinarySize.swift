/// Sums up the size of a message in the binary format: the counterpart of ``BinaryEncoder``, field
/// by field. `tagSize` is the size of the field's tag.
@frozen
public struct BinarySize {
  /// The bytes so far.
  public var bytes: Int

  /// Starts with the fields that the message's type does not know.
  @inlinable
  @inline(__always)
  public init(_ unknownFields: UnknownStorage) {
    bytes = unknownFields.count
  }

  /// A field that is set.
  @inlinable
  @inline(__always)
  public mutating func field<F: FieldCoding>(_ coding: F.Type, _ value: F.Value, tagSize: Int) {
    bytes &+= F.encodedSize(of: value, tagSize: tagSize)
  }

  /// A field with explicit presence.
  @inlinable
  @inline(__always)
  public mutating func optional<F: FieldCoding>(_ coding: F.Type, _ value: F.Value?, tagSize: Int) {
    if let value { bytes &+= F.encodedSize(of: value, tagSize: tagSize) }
  }

  /// A field with explicit presence in a heap box.
  @inlinable
  @inline(__always)
  public mutating func optional<F: FieldCoding>(
    _ coding: F.Type, _ box: Indirect<F.Value>?, tagSize: Int
  ) {
    if let box { bytes &+= F.encodedSize(of: box.value, tagSize: tagSize) }
  }

  /// A field with implicit presence.
  @inlinable
  @inline(__always)
  public mutating func implicit<F: FieldCoding>(_ coding: F.Type, _ value: F.Value, tagSize: Int) {
    if !F.isDefault(value) { bytes &+= F.encodedSize(of: value, tagSize: tagSize) }
  }

  /// A repeated field with a tag for each element.
  @inlinable
  public mutating func repeated<F: FieldCoding>(
    _ coding: F.Type, _ values: [F.Value], tagSize: Int
  ) {
    let span = values.span
    for index in span.indices {
      span.lend(index, &self) { value, size in
        size.bytes &+= F.encodedSize(of: value, tagSize: tagSize)
      }
    }
  }

  /// A repeated field with one tag and one length.
  @inlinable
  public mutating func packed<F: PackableFieldCoding>(
    _ coding: F.Type, _ values: [F.Value], tagSize: Int
  ) {
    if values.isEmpty { return }
    var length = 0
    for value in values { length &+= F.encodedSize(of: value, tagSize: 0) }
    bytes &+= tagSize &+ Varint.size(UInt64(length)) &+ length
  }

  /// A map field.
  @inlinable
  public mutating func map<K: MapKeyCoding, V: FieldCoding>(
    _ key: K.Type, _ value: V.Type, _ entries: [K.Value: V.Value], tagSize: Int
  ) {
    for (key, value) in entries {
      let length = K.encodedSize(of: key, tagSize: 1) &+ V.encodedSize(of: value, tagSize: 1)
      bytes &+= tagSize &+ Varint.size(UInt64(length)) &+ length
    }
  }
}
