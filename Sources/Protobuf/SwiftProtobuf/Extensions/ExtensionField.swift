/// The field that an extension has in a message, whatever its type.
///
/// The runtime's formats drive it; users reach the value over ``ExtensibleMessage``.
public protocol AnyExtensionField: Hashable, Sendable {
  /// A field that is not set.
  init()

  /// Whether the field is set: a repeated field if it has an element.
  var _protobufIsSet: Bool { get }

  /// Whether every required field of the messages inside is set.
  var isInitialized: Bool { get }

  /// Merges the value of the tag that was just read; keeps it in `unknown` if the tag or a closed
  /// enum's number does not fit.
  mutating func _protobufDecode(
    from decoder: inout BinaryDecoder, unknown: inout UnknownStorage) throws(BinaryDecodingError)

  /// The size in the binary format, in bytes.
  func _protobufSize(_ number: Int) -> Int

  /// Writes the field in the binary format.
  func _protobufEncode(_ number: Int, to encoder: inout BinaryEncoder)

  /// Shows the field to a visitor.
  func _protobufVisit<V: FieldVisitor & ~Copyable>(_ number: Int, _ visitor: inout V) throws

  /// Reads the field in a format that names fields.
  mutating func _protobufRead<R: FieldReader & ~Copyable & ~Escapable>(from reader: inout R) throws
}

extension AnyExtensionField {
  func isEqual(to other: any AnyExtensionField) -> Bool { other as? Self == self }
}

/// The field that an extension has in a message.
public protocol ExtensionField: AnyExtensionField {
  /// What users see as the value.
  associatedtype ValueType: Hashable & Sendable

  /// The value; nil if the field is not set.
  var _protobufValue: ValueType? { get set }
}
