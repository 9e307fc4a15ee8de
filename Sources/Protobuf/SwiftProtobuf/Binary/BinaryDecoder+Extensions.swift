extension BinaryDecoder {
  /// The wire type of the tag that was just read.
  var wireType: UInt32 { tag & 7 }

  /// The field of the tag that was just read, which the message has no property for: an extension,
  /// if the reader knows it, or else an unknown field.
  public mutating func extensionField<M: Message>(
    of message: M.Type, into fields: inout ExtensionFieldValueSet,
    unknown storage: inout UnknownStorage
  ) throws(BinaryDecodingError) {
    guard let ext = extensions?[message, Int(tag >> 3)] else {
      return try unknownField(into: &storage)
    }
    try decode(ext, into: &fields, unknown: &storage)
  }

  mutating func decode(
    _ ext: any AnyMessageExtension, into fields: inout ExtensionFieldValueSet,
    unknown storage: inout UnknownStorage
  ) throws(BinaryDecodingError) {
    try fields.update(ext) { (field) throws(BinaryDecodingError) in
      try field._protobufDecode(from: &self, unknown: &storage)
    }
  }

  /// Elements of a repeated extension, whether packed or not.
  mutating func repeatedExtension<F: FieldCoding>(
    _ coding: F.Type, into values: inout [F.Value], unknown storage: inout UnknownStorage
  ) throws(BinaryDecodingError) {
    let isPacked =
      F.self is any PackableFieldCoding.Type && wireType == WireType.lengthDelimited.rawValue
    guard isPacked else {
      guard wireType == F.wireType.rawValue else { return try unknownField(into: &storage) }
      let start = tagPosition
      if try !append(coding, to: &values) { keep(from: start, into: &storage) }
      return
    }
    let number = tag >> 3
    let length = try length()
    let outerEnd = end
    end = position + length
    while position < end {
      let start = position
      if try !append(coding, to: &values), keepsUnknownFields {
        // Only an enum's number can be unknown, and that is a varint.
        storage.append(field: number, varint: bytes.extracting(start..<position))
      }
    }
    end = outerEnd
  }

  private mutating func append<F: FieldCoding>(
    _ coding: F.Type, to values: inout [F.Value]
  ) throws(BinaryDecodingError) -> Bool {
    var value: F.Value?
    guard try F.update(&value, from: &self), let value else { return false }
    values.append(value)
    return true
  }
}
