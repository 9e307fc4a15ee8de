// Values that a closed enum does not have are unknown fields, not values.
// Specification: <https://protobuf.dev/programming-guides/enum/>.
extension BinaryDecoder {
  /// A closed enum's value; nil if it has none with the number read, which `storage` then keeps.
  @inlinable
  public mutating func closedEnum<E: Enum>(
    _ type: E.Type, unknown storage: inout UnknownStorage
  ) throws(BinaryDecodingError) -> E? {
    let start = tagPosition
    let number = Int(Int32(truncatingIfNeeded: try varint()))
    if let value = E(rawValue: number) { return value }
    keep(from: start, into: &storage)
    return nil
  }

  /// An element of a repeated closed enum with a tag of its own.
  @inlinable
  public mutating func repeatedClosedEnum<E: Enum>(
    _ type: E.Type, into values: inout [E], unknown storage: inout UnknownStorage
  ) throws(BinaryDecodingError) {
    if let value = try closedEnum(type, unknown: &storage) { values.append(value) }
  }

  /// Elements of a repeated closed enum that share one tag and length.
  public mutating func packedClosedEnum<E: Enum>(
    _ type: E.Type, into values: inout [E], unknown storage: inout UnknownStorage
  ) throws(BinaryDecodingError) {
    let number = tag >> 3
    let length = try length()
    let outerEnd = end
    end = position + length
    while position < end {
      let start = position
      if let value = E(rawValue: Int(Int32(truncatingIfNeeded: try varint()))) {
        values.append(value)
      } else if keepsUnknownFields {
        storage.append(field: number, varint: bytes.extracting(start..<position))
      }
    }
    end = outerEnd
  }

  /// An entry of a map with closed enum values.
  public mutating func closedEnumMap<K: MapKeyCoding, E: Enum>(
    _ key: K.Type, _ type: E.Type, into entries: inout [K.Value: E],
    unknown storage: inout UnknownStorage
  ) throws(BinaryDecodingError) {
    let start = tagPosition
    let enclosing = try enterMessage()
    var key = K.defaultValue
    var value: E? = E()
    while let tag = try nextTag() {
      switch tag {
      case 1 << 3 | K.wireType.rawValue: key = try K.decode(from: &self)
      case 2 << 3 | WireType.varint.rawValue:
        value = E(rawValue: Int(Int32(truncatingIfNeeded: try varint())))
      default: try skipField()
      }
    }
    leave(enclosing)
    if let value {
      entries[key] = value
    } else {
      keep(from: start, into: &storage)
    }
  }
}
