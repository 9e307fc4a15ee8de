/// A message: a value with the fields of a `message` in a .proto file.
///
/// Only generated code conforms. Requirements whose names begin with an underscore are between the
/// generated code and this module; they may change with it.
public protocol Message: Hashable, Sendable, CustomDebugStringConvertible {
  /// Creates a message with no field set.
  init()

  /// The full name in the .proto file, as in `google.protobuf.Timestamp`.
  static var protoMessageName: String { get }

  /// Fields that were read and that this type does not know.
  var unknownFields: UnknownStorage { get set }

  /// Whether every required field is set, here and in every message inside.
  var isInitialized: Bool { get }

  /// The fields' names.
  static var _protobufFields: FieldTable { get }

  /// Merges the fields up to the end of the message or group that the decoder is in.
  mutating func _protobufDecode(from decoder: inout BinaryDecoder) throws(BinaryDecodingError)

  /// The size in the binary format, in bytes.
  func _protobufSize() -> Int

  /// Writes the fields in the binary format, the one with the highest number first.
  func _protobufEncode(to encoder: inout BinaryEncoder)

  /// Shows every field to a visitor, in the order of their numbers.
  func _protobufVisit<V: FieldVisitor & ~Copyable>(_ visitor: inout V) throws

  /// Reads the field with this number in a format that names fields.
  mutating func _protobufRead<R: FieldReader & ~Copyable & ~Escapable>(
    _ number: Int, from reader: inout R) throws

  /// Reads an extension in a format that names fields.
  mutating func _protobufReadExtension<R: FieldReader & ~Copyable & ~Escapable>(
    _ ext: any AnyMessageExtension, from reader: inout R) throws

  /// Shows every field to a writer of ProtoJSON: ``_protobufVisit(_:)`` for this one visitor, so that
  /// the compiler makes code for it in the message's own module.
  func _protobufVisitJSON(_ writer: inout ProtoJSONWriter) throws

  /// Reads the field with this number from ProtoJSON: ``_protobufRead(_:from:)`` for this one reader.
  mutating func _protobufReadJSON(_ number: Int, from reader: inout ProtoJSONReader) throws

  /// Whether ProtoJSON has a form of its own for this type.
  static var _protobufHasSpecialJSON: Bool { get }

  /// Whether `null` is a value of this type in ProtoJSON, and not an unset field.
  static var _protobufAcceptsJSONNull: Bool { get }

  /// Writes the message as a ProtoJSON value.
  func _protobufWriteJSON(to writer: inout ProtoJSONWriter) throws

  /// Reads the message from a ProtoJSON value.
  mutating func _protobufReadJSON(from reader: inout ProtoJSONReader) throws
}

extension Message {
  /// Creates a message and sets its fields in a closure.
  ///
  /// - Parameter populator: changes the new message.
  /// - Throws: what `populator` throws.
  @inlinable
  public static func with<E: Error>(
    _ populator: (inout Self) throws(E) -> Void
  ) throws(E) -> Self {
    var message = Self()
    try populator(&message)
    return message
  }

  /// Whether another message has the same type and equal fields.
  public func isEqualTo(message other: any Message) -> Bool { other as? Self == self }

  /// Whether every required field is set: true for types without any.
  @inlinable
  public var isInitialized: Bool { true }

  /// Does nothing: only an ``ExtensibleMessage`` has extensions.
  public mutating func _protobufReadExtension<R: FieldReader & ~Copyable & ~Escapable>(
    _ ext: any AnyMessageExtension, from reader: inout R
  ) throws {}

  /// Calls ``_protobufVisit(_:)``.
  @inlinable
  public func _protobufVisitJSON(_ writer: inout ProtoJSONWriter) throws {
    try _protobufVisit(&writer)
  }

  /// Calls ``_protobufRead(_:from:)``.
  @inlinable
  public mutating func _protobufReadJSON(
    _ number: Int, from reader: inout ProtoJSONReader
  ) throws {
    try _protobufRead(number, from: &reader)
  }

  /// False: an object of the fields is the common form.
  @inlinable
  public static var _protobufHasSpecialJSON: Bool { false }

  /// False: most types take `null` as unset.
  @inlinable
  public static var _protobufAcceptsJSONNull: Bool { false }
}
