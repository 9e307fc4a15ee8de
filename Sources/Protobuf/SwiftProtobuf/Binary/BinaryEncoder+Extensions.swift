extension BinaryEncoder {
  /// The extensions of a range of numbers.
  @_lifetime(self: copy self)
  public mutating func extensions(_ fields: ExtensionFieldValueSet, in range: Range<Int>) {
    for entry in fields.entries(in: range).reversed() {
      entry.field._protobufEncode(entry.ext.fieldNumber, to: &self)
    }
  }
}

extension BinarySize {
  /// The extensions of a message.
  public mutating func extensions(_ fields: ExtensionFieldValueSet) {
    for entry in fields.entries {
      bytes += entry.field._protobufSize(entry.ext.fieldNumber)
    }
  }
}
