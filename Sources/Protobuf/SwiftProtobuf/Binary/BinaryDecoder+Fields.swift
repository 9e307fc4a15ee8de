// What generated code calls for the fields it knows. `tag` is the tag that was just read.
extension BinaryDecoder {
  /// A value of its own.
  @inlinable
  @inline(__always)
  public mutating func value<F: FieldCoding>(
    _ coding: F.Type
  ) throws(BinaryDecodingError) -> F.Value {
    try F.decode(from: &self)
  }

  /// A value that is merged with one read before: messages merge, everything else is replaced.
  @inlinable
  @inline(__always)
  public mutating func merge<F: FieldCoding>(
    _ coding: F.Type, into value: inout F.Value?
  ) throws(BinaryDecodingError) {
    var merged = value ?? F.defaultValue
    // The message must have no second owner while it is changed.
    value = nil
    try F.merge(into: &merged, from: &self)
    value = merged
  }

  /// A message in a heap box, merged with one read before.
  @inlinable
  public mutating func merge<F: FieldCoding>(
    _ coding: F.Type, into box: inout Indirect<F.Value>?
  ) throws(BinaryDecodingError) {
    var merged = box?.value ?? F.defaultValue
    box = nil
    try F.merge(into: &merged, from: &self)
    box = Indirect(merged)
  }

  /// Elements of a repeated field, one per tag: all that follow each other at once.
  @inlinable
  public mutating func repeated<F: FieldCoding>(
    _ coding: F.Type, into values: inout [F.Value]
  ) throws(BinaryDecodingError) {
    // Reserving only once per field keeps the total work linear in the input.
    if values.isEmpty { values.reserveCapacity(countRun()) }
    let tag = tag
    repeat {
      values.append(try F.decode(from: &self))
    } while skipTag(tag)
  }

  /// Elements of a repeated field that share one tag and length.
  @inlinable
  public mutating func packed<F: PackableFieldCoding>(
    _ coding: F.Type, into values: inout [F.Value]
  ) throws(BinaryDecodingError) {
    let length = try length()
    let outerEnd = end
    end = position &+ length
    if values.isEmpty {
      values.reserveCapacity(countPacked(F.wireType))
    }
    while position < end {
      values.append(try F.decode(from: &self))
    }
    end = outerEnd
  }

  /// Entries of a map field: all that follow each other at once.
  @inlinable
  public mutating func map<K: MapKeyCoding, V: FieldCoding>(
    _ key: K.Type, _ value: V.Type, into entries: inout [K.Value: V.Value]
  ) throws(BinaryDecodingError) {
    // Entries of two bytes with one key between them shall not reserve for each: a hash table that
    // has more doubles from here on.
    if entries.isEmpty { entries.reserveCapacity(min(countRun(), 1024)) }
    let tag = tag
    repeat {
      let enclosing = try enterMessage()
      var key = K.defaultValue
      var value = V.defaultValue
      while let tag = try nextTag() {
        switch tag {
        case 1 << 3 | K.wireType.rawValue: key = try K.decode(from: &self)
        case 2 << 3 | V.wireType.rawValue: try V.merge(into: &value, from: &self)
        default: try skipField()
        }
      }
      leave(enclosing)
      entries[key] = value
    } while skipTag(tag)
  }
}
