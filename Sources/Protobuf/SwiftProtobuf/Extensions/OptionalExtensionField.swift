// Requirements are documented by the protocols.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// The field of an extension that holds one value.
public struct OptionalExtensionField<F: FieldCoding>: ExtensionField {
  public var _protobufValue: F.Value?

  public init() {}

  public var _protobufIsSet: Bool { _protobufValue != nil }

  public var isInitialized: Bool { _protobufValue.map { F.isInitialized($0) } ?? true }

  public mutating func _protobufDecode(
    from decoder: inout BinaryDecoder, unknown: inout UnknownStorage
  ) throws(BinaryDecodingError) {
    guard decoder.wireType == F.wireType.rawValue else {
      return try decoder.unknownField(into: &unknown)
    }
    let start = decoder.tagPosition
    if try !F.update(&_protobufValue, from: &decoder) { decoder.keep(from: start, into: &unknown) }
  }

  public func _protobufSize(_ number: Int) -> Int {
    var size = BinarySize(UnknownStorage())
    size.optional(F.self, _protobufValue, tagSize: Varint.size(UInt64(number << 3)))
    return size.bytes
  }

  public func _protobufEncode(_ number: Int, to encoder: inout BinaryEncoder) {
    encoder.optional(F.self, _protobufValue, tag: UInt32(number << 3) | F.wireType.rawValue)
  }

  public func _protobufVisit<V: FieldVisitor & ~Copyable>(
    _ number: Int, _ visitor: inout V
  ) throws {
    try visitor.optional(F.self, _protobufValue, number)
  }

  public mutating func _protobufRead<R: FieldReader & ~Copyable & ~Escapable>(
    from reader: inout R
  ) throws {
    try reader.optional(F.self, into: &_protobufValue)
  }
}
