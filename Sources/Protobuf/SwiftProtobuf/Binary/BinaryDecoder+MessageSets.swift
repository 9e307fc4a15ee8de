// A message set is a message of nothing but extensions that are messages, each in a group of its own:
//
//   repeated group Item = 1 { required uint32 type_id = 2; required bytes message = 3; }
extension BinaryDecoder {
  /// The item of a message set whose start tag was just read.
  public mutating func messageSetItem<M: Message>(
    of message: M.Type, into fields: inout ExtensionFieldValueSet,
    unknown storage: inout UnknownStorage
  ) throws(BinaryDecodingError) {
    let start = tagPosition
    let enclosing = try enterGroup()
    var number: Int?
    var payload: Range<Int>?
    // The message may come before its type.
    while let tag = try nextTag() {
      switch tag {
      case MessageSetItem.typeTag where number == nil:
        number = Int(UInt32(truncatingIfNeeded: try varint()))
      case MessageSetItem.messageTag where payload == nil:
        let start = position
        try skipField()
        payload = start..<position
      default:
        try skipField()
      }
    }
    leave(enclosing)
    guard let number, let payload else { return }
    guard let ext = extensions?[message, number] else { return keep(from: start, into: &storage) }
    let (position, end) = (position, end)
    (self.position, self.end) = (payload.lowerBound, payload.upperBound)
    tag = MessageSetItem.messageTag
    try decode(ext, into: &fields, unknown: &storage)
    (self.position, self.end) = (position, end)
  }
}

/// The tags of a message set's item.
enum MessageSetItem {
  static let startTag: UInt32 = 1 << 3 | WireType.startGroup.rawValue
  static let endTag: UInt32 = 1 << 3 | WireType.endGroup.rawValue
  static let typeTag: UInt32 = 2 << 3 | WireType.varint.rawValue
  static let messageTag: UInt32 = 3 << 3 | WireType.lengthDelimited.rawValue
  static let messageNumber = 3
}

extension BinaryEncoder {
  /// The items of a message set.
  @_lifetime(self: copy self)
  public mutating func messageSet(_ fields: ExtensionFieldValueSet) {
    for entry in fields.entries.reversed() {
      varint(UInt64(MessageSetItem.endTag))
      entry.field._protobufEncode(MessageSetItem.messageNumber, to: &self)
      varint(UInt64(entry.ext.fieldNumber))
      varint(UInt64(MessageSetItem.typeTag))
      varint(UInt64(MessageSetItem.startTag))
    }
  }
}

extension BinarySize {
  /// The items of a message set.
  public mutating func messageSet(_ fields: ExtensionFieldValueSet) {
    for entry in fields.entries {
      // The tags of the group and the type take a byte each.
      bytes += 3 + Varint.size(UInt64(entry.ext.fieldNumber))
      bytes += entry.field._protobufSize(MessageSetItem.messageNumber)
    }
  }
}
