// Requirements are documented by the protocols.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// The field of an extension that holds any number of values, each with a tag of its own.
public struct RepeatedExtensionField<F: FieldCoding>: ExtensionField {
  var values: [F.Value] = []

  public init() {}

  public var _protobufValue: [F.Value]? {
    get { values.isEmpty ? nil : values }
    set { values = newValue ?? [] }
  }

  public var _protobufIsSet: Bool { !values.isEmpty }

  public var isInitialized: Bool { values.allSatisfy { F.isInitialized($0) } }

  public mutating func _protobufDecode(
    from decoder: inout BinaryDecoder, unknown: inout UnknownStorage
  ) throws(BinaryDecodingError) {
    try decoder.repeatedExtension(F.self, into: &values, unknown: &unknown)
  }

  public func _protobufSize(_ number: Int) -> Int {
    var size = BinarySize(UnknownStorage())
    size.repeated(F.self, values, tagSize: Varint.size(UInt64(number << 3)))
    return size.bytes
  }

  public func _protobufEncode(_ number: Int, to encoder: inout BinaryEncoder) {
    encoder.repeated(F.self, values, tag: UInt32(number << 3) | F.wireType.rawValue)
  }

  public func _protobufVisit<V: FieldVisitor & ~Copyable>(
    _ number: Int, _ visitor: inout V
  ) throws {
    try visitor.repeated(F.self, values, number)
  }

  public mutating func _protobufRead<R: FieldReader & ~Copyable & ~Escapable>(
    from reader: inout R
  ) throws {
    try reader.repeated(F.self, into: &values)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// The field of an extension that holds any number of values, which share one tag.
public struct PackedExtensionField<F: PackableFieldCoding>: ExtensionField {
  var values: [F.Value] = []

  public init() {}

  public var _protobufValue: [F.Value]? {
    get { values.isEmpty ? nil : values }
    set { values = newValue ?? [] }
  }

  public var _protobufIsSet: Bool { !values.isEmpty }

  public var isInitialized: Bool { true }

  public mutating func _protobufDecode(
    from decoder: inout BinaryDecoder, unknown: inout UnknownStorage
  ) throws(BinaryDecodingError) {
    try decoder.repeatedExtension(F.self, into: &values, unknown: &unknown)
  }

  public func _protobufSize(_ number: Int) -> Int {
    var size = BinarySize(UnknownStorage())
    size.packed(F.self, values, tagSize: Varint.size(UInt64(number << 3)))
    return size.bytes
  }

  public func _protobufEncode(_ number: Int, to encoder: inout BinaryEncoder) {
    let tag = UInt32(number << 3) | WireType.lengthDelimited.rawValue
    encoder.packed(F.self, values, tag: tag)
  }

  public func _protobufVisit<V: FieldVisitor & ~Copyable>(
    _ number: Int, _ visitor: inout V
  ) throws {
    try visitor.repeated(F.self, values, number)
  }

  public mutating func _protobufRead<R: FieldReader & ~Copyable & ~Escapable>(
    from reader: inout R
  ) throws {
    try reader.repeated(F.self, into: &values)
  }
}
